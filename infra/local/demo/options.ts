import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What `npm start` was asked to do. Ports count up from `port`. */
export interface StartOptions {
  readonly dir: string;
  readonly port: number;
  readonly replay: boolean;
  readonly devices: number;
  readonly speed: number;
  /** Length of the replay in seconds; undefined until Ctrl-C. */
  readonly forSeconds: number | undefined;
  readonly help: boolean;
}

/** How `npm start` is used. */
export const USAGE = `Starts everything: Kafka, Redis, ClickHouse, registry, gateways, workers, provider.

  npm start -- [options]

  --for 60s        stop the replay after that time, compare every item, exit 1 on a difference
  --no-replay      everything but the reference provider
  --devices N      devices that are replayed (default 250)
  --speed X        how much faster than the road (default 60)
  --port P         HTTP on P (default 8080), everything else on P+1 to P+15
  --dir DIR        state and env file (default .rastro); another copy needs another one
  --help           this text
`;

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      for: { type: 'string' },
      replay: { type: 'boolean', default: true },
      devices: { type: 'string', default: '250' },
      speed: { type: 'string', default: '60' },
      port: { type: 'string', default: '8080' },
      dir: { type: 'string', default: join(ROOT_DIR, '.rastro') },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    dir: resolve(values.dir),
    port: numberIn('--port', values.port, 1_024, 65_500),
    replay: values.replay,
    devices: numberIn('--devices', values.devices, 1, 50_000),
    speed: numberIn('--speed', values.speed, 0.01, 10_000),
    forSeconds: values.for === undefined
      ? undefined
      : numberIn('--for', values.for.replace(/s$/, ''), 1, 86_400),
    help: values.help,
  };
}

function numberIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  throw new Error(`${name} is ${text}, not a number from ${least} to ${most}.`);
}
