import { connect } from 'node:net';

/** Longest wait for a connection, in milliseconds. */
export const REACH_MS_MAX = 3_000;

/**
 * Resolves when one of some addresses takes a connection; else rejects with one sentence that names
 * them all. A client of a store asks again and again, for minutes; a person wants to know at once.
 */
export async function reachAny(
  what: string, addresses: readonly string[], msMax = REACH_MS_MAX,
): Promise<void> {
  const tried = addresses.map((address) => ({ address, reached: reach(address, msMax) }));
  try {
    await Promise.any(tried.map(({ reached }) => reached));
  } catch {
    const reasons = await Promise.all(tried.map(({ address, reached }) => (
      reached.catch((error: unknown) => `${address} (${(error as Error).message})`)
    )));
    throw new Error(`${what} cannot be reached at ${reasons.join(', ')}.`);
  }
}

/** `host:port` of the address of a service. */
export function hostPortOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? PORTS[protocol] ?? '' : port}`;
}

const PORTS: Readonly<Record<string, string>> = {
  'http:': '80', 'https:': '443', 'redis:': '6379', 'rediss:': '6379',
};

function reach(address: string, msMax: number): Promise<void> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(address.slice(at + 1)) });
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
    socket.once('connect', () => end());
    socket.once('error', (error: NodeJS.ErrnoException) => end(new Error(reasonOf(error))));
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === undefined ? message : REASONS[code] ?? code;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there', ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up', EHOSTUNREACH: 'no way to this host',
  ENETUNREACH: 'no way to this network',
};
