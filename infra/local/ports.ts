import { createServer } from 'node:net';

// Below the kernel's range for outgoing connections (32768 and up): a free port stays free. Blocks
// of test/support/free-block.ts are above.
const PORT_FIRST = 20_000;
const PORT_LAST = 28_000;
const ATTEMPTS_MAX = 200;

// Ports given lately are not given again: the process that has one may not listen on it yet.
const REMEMBERED_MAX = 1_000;
const given = new Set<number>();

/** Random ports of 127.0.0.1 that are free now, all different, and none of those given lately. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let attempt = 0; attempt < ATTEMPTS_MAX && found.size < count; attempt += 1) {
    const port = PORT_FIRST + Math.floor(Math.random() * (PORT_LAST - PORT_FIRST));
    if (given.has(port)) continue;
    remember(port);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`No ${count} free ports of 127.0.0.1 were found.`);
  return [...found];
}

function remember(port: number): void {
  given.add(port);
  const [oldest] = given;
  if (given.size > REMEMBERED_MAX && oldest !== undefined) given.delete(oldest);
}

/** True when 127.0.0.1:port can be listened on. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
