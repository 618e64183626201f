import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const REACH_MS_MAX = 3_000;

/**
 * One sentence with the address when nothing takes a connection there in three seconds, so that a
 * wrong address is no list of failed checks.
 */
export async function unreachable(
  address: string, msMax = REACH_MS_MAX,
): Promise<string | undefined> {
  const socket = open(new URL(address));
  const reason = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => { resolve('no answer'); }, msMax);
    const done = (text?: string) => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.once(address.startsWith('https:') ? 'secureConnect' : 'connect', () => { done(); });
    socket.once('error', (error: NodeJS.ErrnoException) => { done(error.code ?? error.message); });
  });
  socket.on('error', () => undefined).destroy();
  if (reason === undefined) return undefined;
  return `${address} takes no connection within ${msMax / 1_000} s (${reason}).`;
}

function open(url: URL): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:') return connect({ host, port: Number(url.port || 80) });
  return connectTls({
    host, port: Number(url.port || 443), ...(isIP(host) === 0 ? { servername: host } : {}),
  });
}
