/** `npm run fuzz:bodies`: changed bodies, naughty strings or the corpus to every operation. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { example, numberFrom, wholeFrom } from '../../services/adapters/command-line/command-line.ts';
import { runScript } from '../../services/adapters/command-line/run-script.ts';
import { changedBody } from '../support/every-body/bodies.ts';
import { fuzzBodies, type BodyFuzzResult } from '../support/every-body/fuzz.ts';
import { KINDS, type KindName } from './bodies/kinds.ts';
import {
  addResult, complaintsOf, describeBodies, describeFinding, NO_BODIES, sentIn,
} from './bodies/tally.ts';
import {
  chunksLeft, newProgress, readProgress, withChunk, writeProgress,
} from './scanner/progress.ts';
import { runWorkers } from './scanner/run-workers.ts';

const STATE_DIR = join(import.meta.dirname, '..', '..', '.rastro', 'fuzz-bodies');
const SAID_EVERY_MS = 15_000;
const ENTRY = new URL('./bodies/worker.ts', import.meta.url);

interface Words {
  readonly count: number;
  readonly seed: number;
  readonly naughty: boolean;
  readonly corpus: boolean;
  readonly only?: number;
  readonly workers: number;
  readonly minutes: number;
  readonly resume: boolean;
}

await runScript((command, does) => {
  example(command.name('npm run fuzz:bodies --')
    .description('Sends changed bodies to every operation that takes one, over real HTTP servers with'
      + ' parts in memory. None may be answered with a 5xx, what is refused may leave nothing in the'
      + ' log, and what is accepted must be there as the contract promises. State:'
      + ' .rastro/fuzz-bodies/.')
    .option('--count <n>', 'bodies, rounded up to whole thousands', wholeFrom(1, 1e12), 20_000)
    .option('--seed <n>', 'another seed, other bodies', wholeFrom(0, 2 ** 32), 1)
    .option('--naughty', 'instead: every naughty string at every place of every body', false)
    .option('--corpus', 'instead: every file of JSONTestSuite, as a body and inside one', false)
    .option('--only <n>', 'one body of the seed, to see a finding again', wholeFrom(0, 1e12))
    .option('--workers <n>', 'threads with a server each (default: one for each core)',
      wholeFrom(1, 256), availableParallelism())
    .option('--minutes <n>', 'end after so many minutes (default: never)', numberFrom(1, 10_000), 10_000)
    .option('--resume', 'go on where the last run of this kind and seed ended', false)
    .action(does((_ports, { naughty, corpus, only, ...words }: Words) => {
      if (naughty && corpus) throw new Error('Either --naughty or --corpus, not both.');
      const kind = naughty ? 'naughty' : corpus ? 'corpus' : 'changed';
      return only === undefined ? run({ ...words, kind }) : repeat(words.seed, only);
    })),
  'npm run fuzz:bodies -- --count 100000 --seed 7',
  'Exit codes: 0 without a finding, 1 with one, 2 wrong use, 3 the run is not at its end.');
}, { errorCode: 2 });

interface BodiesRun extends Pick<Words, 'count' | 'seed' | 'workers' | 'minutes' | 'resume'> {
  readonly kind: KindName;
}

async function run(
  { kind, count, seed, workers, minutes, resume }: BodiesRun,
): Promise<number> {
  const { subject, chunksOf } = KINDS[kind];
  const file = join(STATE_DIR, `${kind}-${seed}.json`);
  const fresh = newProgress(seed, subject, NO_BODIES);
  let progress = resume ? readProgress(file, fresh) ?? fresh : fresh;
  const secondsBefore = progress.tally.seconds;
  const beganMs = performance.now();
  let saidMs = beganMs;
  const say = (): void => print(`${kind} seed=${seed} ${describeBodies(progress.tally)}\n`);
  if (sentIn(progress.tally) > 0) say();
  const stop = stopSignal(minutes);
  await runWorkers<BodyFuzzResult>(
    { entry: ENTRY, workers, work: { kind, seed } }, chunksLeft(progress, chunksOf(count)),
    (chunk, result) => {
      const nowMs = performance.now();
      const seconds = secondsBefore + (nowMs - beganMs) / 1_000;
      progress = withChunk(progress, chunk, { ...addResult(progress.tally, result), seconds });
      writeProgress(file, progress);
      if (nowMs - saidMs < SAID_EVERY_MS) return;
      saidMs = nowMs;
      say();
    },
    stop,
  );
  say();
  progress.tally.findings.forEach((finding) => print(`${describeFinding(finding)}\n`));
  const complaints = complaintsOf(progress.tally, KINDS[kind].refusedBy);
  complaints.forEach((complaint) => process.stderr.write(`${complaint}\n`));
  if (complaints.length > 0) return 1;
  const left = [...chunksLeft(progress, chunksOf(count))].length;
  if (left > 0) print(`Not at its end: ${left} chunks are left for --resume.\n`);
  return left > 0 ? 3 : 0;
}

function stopSignal(minutes: number): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  setTimeout(() => stop.abort(), minutes * 60_000).unref();
  return stop.signal;
}

async function repeat(seed: number, number: number): Promise<number> {
  const body = changedBody(seed, number);
  const { findings } = await fuzzBodies([body]);
  findings.forEach((finding) => print(`${describeFinding(finding)}\n`));
  print(`${body.id}: ${findings.length === 0 ? 'nothing is wrong' : 'see above'}\n`);
  return findings.length === 0 ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(text);
}
