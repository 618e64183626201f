import type { Server, Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { sourceOf } from '../../../kernel/address-source.ts';

/** How many connections one address (of IPv6 its /64 network) may have open. */
export interface AddressLimits {
  readonly connectionsPerAddressMax: number;
  /** Addresses and networks that speak for many callers; no such limit holds for them. */
  readonly trustedProxies: readonly string[];
}

/**
 * Closes a connection at once when its address has as many as it may, so that the idle lines of one
 * host leave room for those of all others.
 */
export function limitConnections(
  server: Server, { connectionsPerAddressMax, trustedProxies }: AddressLimits,
): void {
  const isTrusted = proxyAddr.compile(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isTrusted(address, 0)) return;
    const source = sourceOf(address);
    const others = open.get(source) ?? 0;
    if (others >= connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    open.set(source, others + 1);
    socket.once('close', () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left === 0) open.delete(source);
      else open.set(source, left);
    });
  });
}
