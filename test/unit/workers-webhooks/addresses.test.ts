import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutbound } from '../../../services/adapters/outbound/outbound.ts';
import { createWebhookEnv } from '../../support/webhook-env.ts';

/** Hosts that no partner has: this machine, its networks, and ways to write them otherwise. */
const FORBIDDEN = [
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001',
  '0177.0.0.1', '0', '0.0.0.0', 'localhost', 'LOCALHOST', '[::ffff:10.0.0.1]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::]',
  '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]', '[2001::7f00:1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]',
  '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255',
  '169.254.169.254', '100.64.0.1', '100.127.255.255', '198.18.0.1', '224.0.0.1', '255.255.255.255',
];

let server: Server;
let port = 0;
let reached = 0;

beforeEach(async () => {
  reached = 0;
  server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => { server.listen(0, '::', resolve); });
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => new Promise<void>((resolve) => { server.close(() => resolve()); }));

/** The result for one fact and a webhook at this address, by the real outbound adapter. */
async function triedAt(url: string, rules: { refusesLoopback: boolean; allowsInsecure: boolean }) {
  const env = createWebhookEnv();
  const { call, close } = openOutbound({
    ...rules, allowsPrivate: false, timeoutMs: 1_000, answerBytesMax: 1_000, socketsMaxPerHost: 2,
  });
  env.add('RST1');
  await env.begin({ ...env.webhook, url });
  await env.worker({}, { outbound: call }).poll();
  close();
  return env.tried().map(({ outcome, reason }) => `${outcome} ${reason}`);
}

describe('A webhook at an address that no partner has', () => {
  it('is of forty kinds here', () => expect(new Set(FORBIDDEN).size).toBe(40));

  it.each(FORBIDDEN)('is not called, and its facts wait: %s', async (host) => {
    const rules = { refusesLoopback: true, allowsInsecure: false };
    expect(await triedAt(`https://${host}:${port}/hook`, rules)).toEqual(['retry forbidden_address']);
    expect(await triedAt(`http://${host}:${port}/hook`, { ...rules, allowsInsecure: true }))
      .toEqual(['retry forbidden_address']);
    expect(reached).toBe(0);
  });

  it('would be reached if nothing refused it', async () => {
    const rules = { refusesLoopback: false, allowsInsecure: true };
    expect(await triedAt(`http://127.0.0.1:${port}/hook`, rules)).toEqual(['retry network']);
    expect(reached).toBe(1);
  });
});
