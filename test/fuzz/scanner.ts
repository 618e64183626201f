/** `npm run fuzz`: broken and odd bodies of locations, to the scanner and to the exact path. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, USAGE } from './scanner/options.ts';
import { SCANNER_FILE } from './scanner/parts.ts';
import {
  chunksLeft, newProgress, readProgress, withChunk, writeProgress,
} from './scanner/progress.ts';
import { CASES_PER_CHUNK } from './scanner/run-chunk.ts';
import { runWorkers } from './scanner/run-workers.ts';
import { addTallies, complaintsOf, describeTally, NO_CASES, type Tally } from './scanner/tally.ts';

const STATE_DIR = join(import.meta.dirname, '..', '..', '.rastro', 'fuzz');
const CHUNKS_PER_LINE = 100;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { seed, workers } = options;
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const file = join(STATE_DIR, `locations-${seed}.json`);
  const fresh = newProgress(seed, readFileSync(SCANNER_FILE), NO_CASES);
  let progress = options.resume ? readProgress(file, fresh) ?? fresh : fresh;
  const say = (): void => {
    process.stdout.write(`${describeTally(progress.tally)}, seed ${seed}\n`);
  };
  if (progress.tally.cases > 0) say();
  const chunks = Math.ceil(options.count / CASES_PER_CHUNK);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  let sinceLine = 0;
  const threads = { entry: new URL('./scanner/worker.ts', import.meta.url), workers, work: { seed } };
  await runWorkers<Tally>(threads, chunksLeft(progress, chunks), (chunk, tally) => {
    progress = withChunk(progress, chunk, addTallies(progress.tally, tally));
    writeProgress(file, progress);
    sinceLine += 1;
    if (sinceLine % CHUNKS_PER_LINE === 0) say();
  }, stop.signal);
  say();
  for (const { reason, chunk, at, base64 } of progress.tally.wrongCases) {
    process.stdout.write(`wrong: ${reason} (chunk ${chunk}, case ${at})\n  ${base64}\n`);
  }
  const complaints = complaintsOf(progress.tally);
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
  return complaints.length === 0 && !stop.signal.aborted ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
