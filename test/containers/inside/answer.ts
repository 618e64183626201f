import { text } from 'node:stream/consumers';

/** Addresses that the compose file opens to its own machine. */
export const ADDRESSES = {
  gateways: 'http://127.0.0.1:8080', provider: 'http://127.0.0.1:8090',
  clickhouse: 'http://127.0.0.1:18123',
} as const;

/** Reads a question from standard input, and writes the answer as JSON to standard output. */
export async function answer<Question>(
  work: (question: Question) => Promise<object>,
): Promise<never> {
  const given = await work(JSON.parse(await text(process.stdin)) as Question);
  await new Promise((resolve) => { process.stdout.write(JSON.stringify(given), resolve); });
  process.exit(0);
}
