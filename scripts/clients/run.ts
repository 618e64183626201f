import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../schemas/files.ts';
import { BRUNO } from './bruno.ts';
import { CLIENTS, type Client } from './clients.ts';
import { described, type ClientVerdict } from './examine.ts';
import type { Seed } from './seeds.ts';

/** What both kinds of run need. */
export interface ClientRun {
  /** File with the OpenAPI document. */
  readonly document: string;
  readonly workDir: string;
  /** No further client is begun once it is aborted. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** Makes and uses a client of a document, with a transport of its own. */
  readonly examine: (client: NamedClient, document: string) => Promise<ClientVerdict>;
}

/** A client of whatever tools. */
export type NamedClient = Pick<Client, 'name' | 'generator'>;

const SAID_MAX = 300;
const SEEDED: readonly NamedClient[] = [...CLIENTS, BRUNO];

/** Examines each client, and prints a line of each and the count. Gives the exit code. */
export async function checkClients(
  clients: readonly NamedClient[], { document, signal, print, examine }: ClientRun,
): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const client of clients) {
    if (signal.aborted) break;
    const verdict = await examine(client, document);
    if (verdict.passed) passed += 1;
    else failed += 1;
    print(described(client, verdict));
  }
  print(`${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0 && !signal.aborted ? 0 : 1;
}

/** Breaks the document by one seed after the other: its client must fail at its step. */
export async function proveSeeds(seeds: readonly Seed[], run: ClientRun): Promise<number> {
  const { signal, print } = run;
  let missed = 0;
  for (const seed of seeds) {
    if (signal.aborted) break;
    const client = SEEDED.find(({ name }) => name === seed.client);
    if (client === undefined) throw new Error(`There is no client ${seed.client}.`);
    const verdict = await run.examine(client, broken(seed, run));
    const isSeen = !verdict.passed && verdict.step === seed.step;
    if (!isSeen) missed += 1;
    const where = verdict.passed ? 'passed' : `failed at ${verdict.step}`;
    print(`${isSeen ? 'seen' : 'MISSED'} ${seed.what}: ${client.generator} ${where}`);
    if (!isSeen) print(`     ${verdict.said.slice(0, SAID_MAX)}`);
  }
  print(`${missed} of the broken documents went unnoticed`);
  return seeds.length > 0 && missed === 0 && !signal.aborted ? 0 : 1;
}

/** A file with the broken document. */
function broken(seed: Seed, { document, workDir }: ClientRun): string {
  const content = JSON.parse(readFileSync(document, 'utf8')) as JsonObject;
  seed.spoil(content);
  mkdirSync(workDir, { recursive: true });
  const file = join(workDir, 'broken.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}
