import { Server, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limitConnections } from '../../../services/adapters/http/server/limit-connections.ts';

/** A server of two lines an address, and lines to it from addresses that this machine has not. */
function limited(trustedProxies: readonly string[] = []) {
  const server = new Server();
  limitConnections(server, { connectionsPerAddressMax: 2, trustedProxies });
  return (address: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
    server.emit('connection', socket);
    return socket;
  };
}

describe('connections of one address', () => {
  it('[GEN-45] are those of its host: an IPv6 host has all addresses of a /64', () => {
    const lineFrom = limited();
    const lines = ['2001:db8:0:7::1', '2001:db8:0:7::2', '2001:db8:0:7:ffff::3', '2001:db8:0:8::1']
      .map(lineFrom);
    expect(lines.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  });

  it('[GEN-45] are counted together where IPv6 carries the address, and given back', async () => {
    const lineFrom = limited();
    const lines = ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9'].map(lineFrom);
    expect(lines.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    const ended = new Promise((resolve) => lines[1]?.once('close', resolve));
    lines[1]?.destroy();
    await ended;
    expect(lineFrom('203.0.113.9').destroyed).toBe(false);
  });

  it('[GEN-45] of a trusted proxy are as many as it needs', () => {
    const lineFrom = limited(['2001:db8::/32']);
    const lines = Array.from({ length: 5 }, () => lineFrom('2001:db8:0:7::1'));
    expect(lines.map(({ destroyed }) => destroyed)).not.toContain(true);
  });
});
