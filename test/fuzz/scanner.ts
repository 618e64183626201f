/** `npm run fuzz`: broken and odd bodies of locations, to the scanner and to the exact path. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { example, wholeFrom } from '../../services/adapters/command-line/command-line.ts';
import { runScript } from '../../services/adapters/command-line/run-script.ts';
import { SCANNER_FILE } from './scanner/parts.ts';
import {
  chunksLeft, newProgress, readProgress, withChunk, writeProgress,
} from './scanner/progress.ts';
import { CASES_PER_CHUNK } from './scanner/run-chunk.ts';
import { runWorkers } from './scanner/run-workers.ts';
import { addTallies, complaintsOf, describeTally, NO_CASES, type ScanTally } from './scanner/tally.ts';

const STATE_DIR = join(import.meta.dirname, '..', '..', '.rastro', 'fuzz');
const CHUNKS_PER_LINE = 100;

interface Words {
  readonly count: number;
  readonly seed: number;
  readonly workers: number;
  readonly resume: boolean;
}

await runScript((command, does) => {
  example(command.name('npm run fuzz --')
    .description('Breaks good bodies of locations and compares the one-pass scanner with the exact'
      + ' path: what the scanner takes, the exact path must take too, and write the very same bytes.'
      + ' State: .rastro/fuzz/.')
    .option('--count <n>', 'cases, rounded up to whole chunks', wholeFrom(1, 1e12), 1_000_000)
    .option('--seed <n>', 'the cases depend on it', wholeFrom(0, 2 ** 32), 1)
    .option('--resume', 'go on where the last run of this seed and this scanner ended', false)
    .option('--workers <n>', 'threads (default: one for each core)', wholeFrom(1, 256),
      availableParallelism())
    .action(does((_ports, words: Words) => fuzz(words))),
  'npm run fuzz -- --count 100000 --seed 7',
  'Exit codes: 0 no difference, 1 a body was read wrongly or too few were taken, 2 wrong use.');
});

async function fuzz({ count, seed, workers, resume }: Words): Promise<number> {
  const file = join(STATE_DIR, `locations-${seed}.json`);
  const fresh = newProgress(seed, readFileSync(SCANNER_FILE), NO_CASES);
  let progress = resume ? readProgress(file, fresh) ?? fresh : fresh;
  const say = (): void => {
    process.stdout.write(`${describeTally(progress.tally)}, seed ${seed}\n`);
  };
  if (progress.tally.cases > 0) say();
  const chunks = Math.ceil(count / CASES_PER_CHUNK);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  let sinceLine = 0;
  const threads = { entry: new URL('./scanner/worker.ts', import.meta.url), workers, work: { seed } };
  await runWorkers<ScanTally>(threads, chunksLeft(progress, chunks), (chunk, tally) => {
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
