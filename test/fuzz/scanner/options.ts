import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What `npm run fuzz` was asked to do. */
export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly workers: number;
  readonly resume: boolean;
  readonly help: boolean;
}

/** How `npm run fuzz` is used. */
export const USAGE = `Breaks good bodies of locations in every way it knows, and compares the one-pass scanner with the
exact path: what the scanner takes, the exact path must take too, and write the very same bytes.

  npm run fuzz -- [options]

  --count N      cases, rounded up to whole chunks (default 1000000)
  --seed N       the cases depend on it (default 1)
  --resume       go on where the last run of this seed and this scanner ended
  --workers N    threads (default: one for each core)
  --help         this text

The state lies in .rastro/fuzz/. Exit code 1 when a body was judged wrongly, or when too few were
taken: a scanner that takes nothing is never wrong.
`;

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      resume: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    count: wholeIn('--count', values.count, 1, 1e12),
    seed: wholeIn('--seed', values.seed, 0, 2 ** 32),
    workers: wholeIn('--workers', values.workers, 1, 256),
    resume: values.resume,
    help: values.help,
  };
}

function wholeIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} is ${text}, not a whole number from ${least} to ${most}.`);
}
