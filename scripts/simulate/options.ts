import { parseArgs } from 'node:util';
import { modelNamed, MODELS } from '../../test/simulator/models.ts';

/** What to simulate. */
export interface SimulateOptions {
  readonly schedules: number;
  /** Seed of the first schedule; each next one has the next seed. */
  readonly seed: number;
  /** Models by name, taken in turns. */
  readonly models: readonly string[];
  readonly threads: number;
}

const THREADS_MAX = 64;

/** Reads the arguments of `npm run simulate`; throws an error that says what is wrong. */
export function readOptions(args: readonly string[]): SimulateOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      schedules: { type: 'string', default: '5000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      only: { type: 'string', multiple: true },
      threads: { type: 'string', default: '2' },
    },
  });
  const models = values.only ?? MODELS.map(({ name }) => name);
  for (const name of models) modelNamed(name);
  return {
    schedules: wholeOf('schedules', values.schedules, 10_000_000),
    seed: wholeOf('seed', values.seed, Number.MAX_SAFE_INTEGER),
    models,
    threads: wholeOf('threads', values.threads, THREADS_MAX),
  };
}

function wholeOf(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new Error(`--${name} must be a whole number up to ${most}, not ${text}`);
}
