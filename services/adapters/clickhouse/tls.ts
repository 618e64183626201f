import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { TlsTexts } from '../../kernel/tls.ts';

/** What the client library takes to reach a store by TLS. */
interface ClientTls {
  readonly tls?: { readonly ca_cert: Buffer };
  readonly http_agent?: Agent;
}

/**
 * How the client library reaches a store by TLS; nothing where no file is named. With a certificate
 * of ours it would log in by that alone, so that an agent shows it instead, and the user logs in
 * with its password as ever.
 */
export function tlsOf(
  { tls, connectionsMax }: {
    readonly tls?: TlsTexts | undefined; readonly connectionsMax?: number;
  },
): ClientTls {
  if (tls === undefined) return {};
  const ca = tls.ca ?? rootCertificates.join('\n');
  if (tls.cert === undefined) return { tls: { ca_cert: Buffer.from(ca) } };
  return {
    http_agent: new Agent({ ...tls, ca, keepAlive: true, maxSockets: connectionsMax ?? 1 }),
  };
}
