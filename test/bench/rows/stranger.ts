import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { BenchCluster } from '../cluster.ts';
import { cpuUs } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';

/** What calls with invented tokens cost a gateway, by their bodies. */
export interface StrangerRow {
  readonly body: string;
  /** Bytes that are sent, and what they unpack to. */
  readonly bytes: number;
  readonly unpackedBytes: number;
  /** Median of CPU of the gateway for a call, in µs. */
  readonly callUs: number;
  /** What was answered instead of 403. */
  readonly wrong: readonly string[];
}

interface Stranger {
  readonly body: string;
  readonly bytes: Buffer;
  readonly unpackedBytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

const ROUNDS = 7;
const CALLS = 400;
const LINES = 8;
/** What a token that was never issued is answered (interface, 3). */
const REFUSED = '403';
const BOMB = Buffer.from(`[${'[],'.repeat(2_000_000)}[]]`);
const LARGE = Buffer.from(JSON.stringify({ a: 'x'.repeat(1_000_000) }));

/** The first is what the others are compared with. */
const STRANGERS: readonly Stranger[] = [
  { body: 'none', bytes: Buffer.from('{}'), unpackedBytes: 2, headers: {} },
  {
    body: 'a bomb', bytes: gzipSync(BOMB), unpackedBytes: BOMB.length,
    headers: { 'content-encoding': 'gzip' },
  },
  { body: 'a megabyte', bytes: LARGE, unpackedBytes: LARGE.length, headers: {} },
];

/**
 * Lets strangers call one after the other on a few lines, kind by kind in turn. No address waits
 * here after bad tokens, since a call that waits costs less than one that is looked at.
 */
export async function measureStrangers(cluster: BenchCluster): Promise<readonly StrangerRow[]> {
  const pids = [cluster.pidOfService(cluster.local.gateways)];
  const costs = STRANGERS.map((): number[] => []);
  const wrong = STRANGERS.map((): string[] => []);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [at, stranger] of STRANGERS.entries()) {
      const before = cpuUs(pids);
      const answers = await callAll(cluster, stranger);
      // The first round only warms up.
      if (round >= 0) costs[at]?.push((cpuUs(pids) - before) / CALLS);
      wrong[at]?.push(...answers.filter((answer) => answer !== REFUSED));
    }
  }
  return STRANGERS.map(({ body, bytes, unpackedBytes }, at) => ({
    body, bytes: bytes.length, unpackedBytes, callUs: median(costs[at] ?? []),
    wrong: [...new Set(wrong[at])].map((answer) => `${body} was answered ${answer}`),
  }));
}

async function callAll(cluster: BenchCluster, stranger: Stranger): Promise<readonly string[]> {
  const lines = await Promise.all(Array.from({ length: LINES }, async () => {
    const answers: string[] = [];
    for (let nth = 0; nth < CALLS / LINES; nth += 1) answers.push(await call(cluster, stranger));
    return answers;
  }));
  return lines.flat();
}

/** One call on a connection of its own, as the answer to a body that was not read ends it. */
function call(
  { local, path }: BenchCluster, { bytes, headers }: Stranger,
): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(new URL(path, local.url), {
      method: 'POST', agent: false,
      headers: {
        'content-type': 'application/json', 'content-length': String(bytes.length),
        'authorization': `Bearer 00${randomBytes(32).toString('base64url')}`, ...headers,
      },
    }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        resolve(String(answer.statusCode));
        sent.destroy();
      });
    });
    // The gateway may close while the rest of a large body is still being written.
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(bytes);
  });
}
