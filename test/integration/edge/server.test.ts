import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAdmin, type AdminPorts } from '../../../services/adapters/http/server/admin.ts';
import { openServer, type HttpServer } from '../../../services/adapters/http/server/open-server.ts';
import { createSignals } from '../../../services/adapters/signals/signals.ts';
import { createIds, systemClock } from '../../../services/adapters/system/system.ts';
import { createLeaving } from '../../../services/gateways/common/leaving.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { locationsBody, openEdge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());

function connected(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Resolves when the other side closes the connection. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.resume();
  });
}

describe('a server that is to stop', () => {
  it('[GEN-05] finishes the calls in progress, and asks them to close', async () => {
    const edge = await openEdge();
    edge.log.hold();
    const answering = edge.post(BODY);
    await expect.poll(() => edge.log.held()).toBe(1);
    const closing = edge.close(5_000);
    await expect(connected(edge.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    edge.log.release();
    const response = await answering;
    expect(response.status).toBe(202);
    expect(response.headers.get('connection')).toBe('close');
    await closing;
  });

  it('cuts what does not end in time', async () => {
    const edge = await openEdge();
    edge.log.hold();
    const answering = edge.post(BODY);
    await expect.poll(() => edge.log.held()).toBe(1);
    await Promise.all([edge.close(20), expect(answering).rejects.toThrow()]);
    edge.log.release();
  });

  it('serves what comes on a kept line after it has stopped to listen, and ends the line then',
    async () => {
      const edge = await openEdge();
      const line = await connected(edge.port);
      let text = '';
      line.on('data', (chunk) => { text += chunk.toString(); });
      const ask = (): boolean => line.write('GET /nothing HTTP/1.1\r\nHost: rastro\r\n\r\n');
      ask();
      await expect.poll(() => text).toContain('route_not_found');
      expect(text).not.toContain('Connection: close');
      text = '';
      const closing = edge.close(5_000);
      ask();
      await expect.poll(() => text).toContain('Connection: close');
      await expect.poll(() => line.destroyed).toBe(true);
      await closing;
    });

  it('may be stopped twice', async () => {
    const edge = await openEdge();
    await Promise.all([edge.close(), edge.close()]);
  });
});

describe('a gateway that is to stop', () => {
  it('says unready first, and serves until no more calls come', async () => {
    const edge = await openEdge();
    const untilUnseen = Promise.withResolvers<void>();
    const { isLeaving, leave } = createLeaving(
      { lameDuckMs: 7, drainMsMax: 5_000 },
      (ms) => (ms === 7 ? untilUnseen.promise : Promise.reject(new Error('another wait'))),
    );
    expect(isLeaving()).toBe(false);
    const left = leave(edge);
    expect(isLeaving()).toBe(true);
    const served = await edge.post(BODY);
    expect(served.status).toBe(202);
    expect(served.headers.get('connection')).toBe('close');
    await served.text();
    untilUnseen.resolve();
    await left;
    await expect(edge.post(BODY)).rejects.toThrow();
  });
});

describe('a server', () => {
  it('closes connections above its limit at once', async () => {
    const edge = await openEdge({ server: { connectionsMax: 2 } });
    const kept = [await connected(edge.port), await connected(edge.port)];
    await closed(await connected(edge.port));
    for (const socket of kept) {
      expect(socket.destroyed).toBe(false);
      socket.destroy();
    }
    await edge.close();
  });

  it('[GEN-45] closes those of an address that has too many, and of no other', async () => {
    const edge = await openEdge({ server: { connectionsPerAddressMax: 2 } });
    const [first, second] = [await connected(edge.port), await connected(edge.port)];
    await closed(await connected(edge.port));
    const other = await connected(edge.port, '127.0.0.2');
    const ended = closed(first);
    first.destroy();
    await ended;
    let third: Socket | undefined;
    await expect.poll(async () => {
      third?.destroy();
      third = await connected(edge.port);
      third.write('GET /nothing HTTP/1.1\r\nHost: rastro\r\n\r\n');
      return new Promise((resolve) => {
        third?.once('data', () => resolve('answered')).once('close', () => resolve('closed'));
      });
    }).toBe('answered');
    for (const socket of [second, other, third]) {
      expect(socket?.destroyed).toBe(false);
      socket?.destroy();
    }
    await edge.close();
  });

  it('[GEN-45] lets a trusted proxy have as many as it needs', async () => {
    const edge = await openEdge({
      server: { connectionsPerAddressMax: 1, trustedProxies: ['127.0.0.0/8'] },
    });
    const lines = [await connected(edge.port), await connected(edge.port)];
    for (const line of lines) line.write('GET /nothing HTTP/1.1\r\nHost: rastro\r\n\r\n');
    await Promise.all(lines.map((line) => new Promise((resolve) => line.once('data', resolve))));
    for (const line of lines) line.destroy();
    await edge.close();
  });

  it('answers sixteen requests that a line sends at once, then closes it and begins no other',
    async () => {
      const edge = await openEdge();
      const line = await connected(edge.port);
      const text: string[] = [];
      line.on('data', (chunk) => text.push(chunk.toString()));
      const answers = (): number => text.join('').split('HTTP/1.1 404').length - 1;
      const ask = (times: number): boolean => (
        line.write('GET /nothing HTTP/1.1\r\nHost: rastro\r\n\r\n'.repeat(times))
      );
      for (const due of [15, 30, 45]) {
        ask(15);
        await expect.poll(answers).toBe(due);
      }
      expect(line.destroyed).toBe(false);
      const ended = closed(line);
      // What is behind the sixteenth is not even parsed, or it would be refused as unreadable.
      line.write(`${'GET /nothing HTTP/1.1\r\nHost: rastro\r\n\r\n'.repeat(400)}no HTTP\r\n\r\n`);
      await ended;
      expect(answers()).toBe(45 + 16);
      expect(text.join('').split('Connection: close')).toHaveLength(2);
      await edge.close();
    });

  it('rejects when its port is taken', async () => {
    const edge = await openEdge();
    await expect(openEdge({ server: { port: edge.port } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await edge.close();
  });
});

describe('the operators’ endpoints', () => {
  let server: HttpServer | undefined;

  afterEach(async () => {
    await server?.close(0);
    server = undefined;
  });

  async function open(ports: Partial<AdminPorts> = {}): Promise<string> {
    const signals = createSignals({
      service: 'edge', level: 'error', measuresProcess: true,
      stream: { write: () => undefined },
    });
    server = await openServer({
      host: '127.0.0.1', port: 0, headersTimeoutMs: 2_000, requestTimeoutMs: 2_000,
      keepAliveTimeoutMs: 2_000, headerBytesMax: 8_192, connectionsMax: 50,
      connectionsPerAddressMax: 50, trustedProxies: [],
    }, { errors: problemErrors, ids: createIds(systemClock), signals }, createAdmin({
      unready: async () => [], isDraining: () => false, metrics: signals.metrics, ...ports,
    }));
    return server.url;
  }

  it('say that the process lives, whatever its parts do', async () => {
    const url = await open({ unready: () => Promise.reject(new Error('away')) });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it.each<[number, string, Partial<AdminPorts>]>([
    [200, 'all parts answer', {}],
    [503, 'a part is missing', { unready: async () => ['redis'] }],
    [503, 'asking fails', { unready: () => Promise.reject(new Error('away')) }],
    [503, 'the process is going away', { isDraining: () => true }],
  ])('answer %d on /readyz when %s', async (status, _name, ports) => {
    const url = await open(ports);
    expect((await fetch(`${url}/readyz`)).status).toBe(status);
  });

  it('show metrics, and nothing else', async () => {
    const url = await open();
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('# TYPE rastro_http_requests_total counter');
    expect((await fetch(`${url}/other`)).status).toBe(404);
  });
});
