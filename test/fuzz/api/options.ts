import { parseArgs } from 'node:util';

/** What `npm run fuzz:api` was asked to do. */
export interface FuzzOptions {
  readonly port: number;
  readonly seed: number;
  /** Cases that each phase makes for each operation, at most. */
  readonly examplesMax: number;
  readonly help: boolean;
}

/** How `npm run fuzz:api` is used. */
export const USAGE = `Sends generated calls, right and wrong ones, to every operation of the OpenAPI document.

  npm run fuzz:api -- [options]

  --seed N       what is sent depends on it (default 20261121)
  --examples N   cases of each phase for each operation, at most (default 20)
  --port P       the private system listens on P to P+15 (default 18340)
  --help         this text

Exit code 1 when an answer is a 5xx, is not documented, or does not follow its schema, or when a
wrong call or one without a token is accepted.
`;

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '20261121' },
      examples: { type: 'string', default: '20' },
      port: { type: 'string', default: '18340' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    port: wholeIn('--port', values.port, 1_024, 65_500),
    seed: wholeIn('--seed', values.seed, 0, 2 ** 32),
    examplesMax: wholeIn('--examples', values.examples, 1, 10_000),
    help: values.help,
  };
}

function wholeIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} is ${text}, not a whole number from ${least} to ${most}.`);
}
