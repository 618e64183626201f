import { readFileSync } from 'node:fs';
import { createServer, type TLSSocket } from 'node:tls';
import { listenerOf, type Listener } from './listener.ts';
import type { TestAuthority } from './tls-front.ts';

/** What a listener by TLS asks of its callers. */
interface TlsWishes {
  /** What it does with a connection; without it stays silent. */
  readonly does?: (socket: TLSSocket) => void;
  /** True where callers must show a certificate of the same authority. */
  readonly asksForCertificate?: boolean;
}

/** Listens by TLS on a free port, with a certificate for 127.0.0.1 and localhost. */
export function listenTls(
  { ca, server: { cert, key } }: TestAuthority, wishes: TlsWishes = {},
): Promise<Listener> {
  const { does = () => undefined, asksForCertificate = false } = wishes;
  const sockets = new Set<TLSSocket>();
  const server = createServer({
    cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca),
    requestCert: asksForCertificate, rejectUnauthorized: asksForCertificate,
  }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    does(socket);
  });
  // A caller that does not trust us goes away in the midst of the handshake.
  server.on('tlsClientError', () => undefined);
  return listenerOf(server, sockets);
}
