import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { leaveServer } from '../../../services/adapters/redis/watch-sentinels.ts';

const WAIT = { timeout: 5_000, interval: 5 };
const COMMAND = /\*\d+\r\n/g;

describe('a server that Sentinels have replaced', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let client: Redis | undefined;

  afterEach(() => {
    client?.disconnect();
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  /** A server that answers each command by `answer`, and OK where that has none. */
  async function serve(answer: (text: string) => string | Promise<string>): Promise<number> {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', async (data) => {
        const commands = data.toString().split(COMMAND).slice(1);
        for (const command of commands) socket.write(await answer(command) || '+OK\r\n');
      });
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const named = (port: number): string =>
    `*2\r\n$9\r\n127.0.0.1\r\n$${String(port).length}\r\n${port}\r\n`;

  function open(sentinel: number): Redis {
    const opened = new Redis({
      sentinels: [{ host: '127.0.0.1', port: sentinel }], name: 'rastro', role: 'master',
      enableReadyCheck: false, enableOfflineQueue: false, disableClientInfo: true,
      updateSentinels: false, retryStrategy: () => 5, sentinelRetryStrategy: () => 5,
    });
    opened.on('error', () => undefined);
    client = opened;
    return opened;
  }

  it('is left for the one that they name now', async () => {
    const [old, next] = [await serve(() => ''), await serve(() => '')];
    let primary = old;
    const opened = open(await serve((text) => text.includes('get-master-addr') ? named(primary) : ''));
    await vi.waitFor(() => expect(opened.status).toBe('ready'), WAIT);
    primary = next;
    leaveServer(opened);
    await vi.waitFor(() => expect([opened.status, opened.stream.remotePort]).toEqual(['ready', next]),
      WAIT);
  });

  it('[GEN-60] is left also when that is said while they are asked, and nothing ends', async () => {
    const [old, next] = [await serve(() => ''), await serve(() => '')];
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<string>();
    let count = 0;
    const opened = open(await serve((text) => {
      if (!text.includes('get-master-addr')) return '';
      count += 1;
      asked.resolve(undefined);
      return count === 1 ? answer.promise : named(next);
    }));
    await asked.promise;
    expect(opened.status).toBe('connecting');
    leaveServer(opened);
    answer.resolve(named(old));
    await vi.waitFor(() => expect([opened.status, opened.stream.remotePort]).toEqual(['ready', next]),
      WAIT);
    expect(count).toBe(2);
  });
});
