import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TlsTexts } from '../../kernel/tls.ts';

/** Longest wait for an address to answer, in milliseconds. */
export const REACH_MS_MAX = 3_000;

/** How it is found out whether a service is there. */
export interface ReachOptions {
  /**
   * What is said first. Any answer to it counts; without it a connection does. A process that
   * stands still takes connections all the same: the kernel does so for it.
   */
  readonly greeting?: string | Buffer;
  /** How to trust the service; absent where its address is without TLS. */
  readonly tls?: TlsTexts | undefined;
  readonly msMax?: number;
}

/**
 * Resolves when one of some addresses answers; else rejects with one sentence that names them all.
 * A client of a store asks again and again, for minutes; a person wants to know at once.
 */
export async function reachAny(
  what: string, addresses: readonly string[], options: ReachOptions = {},
): Promise<void> {
  const tried = addresses.map((address) => ({ address, reached: reach(address, options) }));
  try {
    await Promise.any(tried.map(({ reached }) => reached));
  } catch {
    const reasons = await Promise.all(tried.map(({ address, reached }) => (
      reached.catch((error: unknown) => `${address} (${(error as Error).message})`)
    )));
    throw new Error(`${what} cannot be reached at ${reasons.join(', ')}.`);
  }
}

/** Resolves as {@link reachAny} does, when a service over HTTP answers a GET, whatever it says. */
export async function reachHttp(
  what: string, url: string, path: string, tls?: TlsTexts,
): Promise<void> {
  const { host, protocol } = new URL(url);
  await reachAny(what, [hostPortOf(url)], {
    greeting: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    tls: protocol === 'https:' ? tls ?? {} : undefined,
  });
}

/** `host:port` of the address of a service. */
export function hostPortOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? PORTS[protocol] ?? '' : port}`;
}

const PORTS: Readonly<Record<string, string>> = {
  'http:': '80', 'https:': '443', 'redis:': '6379', 'rediss:': '6379',
};

function reach(
  address: string, { greeting, tls, msMax = REACH_MS_MAX }: ReachOptions,
): Promise<void> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.slice(at + 1));
  return new Promise((resolve, reject) => {
    const socket: Socket = tls === undefined
      ? connectPlain({ host, port }) : connectTls({ host, port, ...serverName(host), ...tls });
    let isAgreed = tls === undefined;
    const late = setTimeout(() => {
      // A process that stood still finds its answer and the end of its wait at the same time.
      setImmediate(() => end(new Error(`no answer within ${msMax / 1_000} s`)));
    }, msMax);
    function end(error?: Error): void {
      clearTimeout(late);
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    }
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      isAgreed = true;
      if (greeting === undefined) end();
      else socket.write(greeting);
    });
    socket.once('data', () => end());
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end(new Error(isCutOff(error) ? ends(isAgreed) : reasonOf(error)));
    });
    socket.once('close', () => end(new Error(ends(isAgreed))));
  });
}

/** What one address with many services behind it knows each by; an IP address is no such name. */
function serverName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}

function isCutOff({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function ends(isAgreed: boolean): string {
  return `it ends the connection ${isAgreed ? 'without an answer' : 'before TLS is agreed on'}`;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === undefined ? message : REASONS[code] ?? code;
}

const NO_TLS = 'it does not speak TLS';
const UNTRUSTED = 'its certificate is not signed by an authority that we trust';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there', ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up', EHOSTUNREACH: 'no way to this host',
  ENETUNREACH: 'no way to this network',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS, ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED, DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED, UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED, CERT_SIGNATURE_FAILURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a certificate of ours',
};
