/** `npm run fuzz:bodies`: changed bodies, naughty strings or the corpus to every operation. */
import { join } from 'node:path';
import { changedBody } from '../support/every-body/bodies.ts';
import { fuzzBodies, type FuzzResult } from '../support/every-body/fuzz.ts';
import { KINDS } from './bodies/kinds.ts';
import { readOptions, USAGE, type BodiesOptions } from './bodies/options.ts';
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

async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) return 2;
  if (options.help) {
    print(USAGE);
    return 0;
  }
  return options.only === undefined ? run(options) : repeat(options.seed, options.only);
}

function optionsOf(args: readonly string[]): BodiesOptions | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return undefined;
  }
}

async function run(
  { kind, count, seed, workers, minutes, resume }: BodiesOptions,
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
  await runWorkers<FuzzResult>(
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

process.exitCode = await main();
