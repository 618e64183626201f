import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { KindName } from './kinds.ts';

/** What `npm run fuzz:bodies` was asked to do. */
export interface BodiesOptions {
  readonly kind: KindName;
  readonly count: number;
  readonly seed: number;
  readonly workers: number;
  readonly only: number | undefined;
  readonly minutes: number;
  readonly resume: boolean;
  readonly help: boolean;
}

/** How `npm run fuzz:bodies` is used. */
export const USAGE = `Sends changed bodies to every operation that takes one. None may be answered with a 5xx, what is
refused may leave nothing in the log, and what is accepted must be there as the contract promises:
the same bytes, or every value at its place, also of what was sealed.

  npm run fuzz:bodies -- [options]

  --count N      bodies, rounded up to whole thousands (default 20000)
  --seed N       another seed, other bodies (default 1)
  --naughty      instead: every naughty string at every place of every body that may hold a string
  --corpus       instead: every file of JSONTestSuite, as a body and inside one
  --only N       one body of the seed, to see a finding again
  --workers N    threads, each with a server of its own (default: one for each core)
  --minutes N    end after so many minutes, wherever the run is then (default: never)
  --resume       go on where the last run of this kind and seed ended
  --help         this text

Needs nothing but this process: real HTTP servers over parts in memory. State: .rastro/fuzz-bodies/.
Exit code 0 without a finding, 1 with one, 2 for wrong options, 3 when the run is not at its end.
`;

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): BodiesOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      minutes: { type: 'string', default: '10000' },
      only: { type: 'string' },
      naughty: { type: 'boolean', default: false },
      corpus: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { naughty, corpus, only, resume, help } = values;
  if (naughty && corpus) throw new Error('Either --naughty or --corpus, not both.');
  return {
    kind: naughty ? 'naughty' : corpus ? 'corpus' : 'changed',
    count: numberIn('--count', values.count, 1, 1e12),
    seed: numberIn('--seed', values.seed, 0, 2 ** 32),
    workers: numberIn('--workers', values.workers, 1, 256),
    minutes: numberIn('--minutes', values.minutes, 1, 10_000),
    only: only === undefined ? undefined : numberIn('--only', only, 0, 1e12),
    resume, help,
  };
}

function numberIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} is ${text}, not a whole number from ${least} to ${most}.`);
}
