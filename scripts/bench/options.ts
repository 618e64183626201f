import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PEERS, PEERS_OF_OTHERS, type EdgeSize, type PeerName } from '../../test/bench/rows/run-edge.ts';
import { STORE_ROWS } from '../../test/bench/rows/run-stores.ts';

/** Kinds of rows, in the order in which they are measured. */
export const ROWS = [...STORE_ROWS, 'edge', 'overload'] as const;

/** One kind of row. */
export type RowName = (typeof ROWS)[number];

/** Measured unless others are named: what takes minutes at one pace is not among them. */
const DEFAULT_ROWS = ROWS.filter((row) => row !== 'sustained');

/** What `npm run bench` was asked to do. */
export interface BenchOptions {
  readonly rows: readonly RowName[];
  readonly peers: readonly PeerName[];
  readonly sizes: readonly EdgeSize[];
  readonly rounds: number;
  readonly roundMs: number;
  readonly devices: number;
  /** Sizes of fleets that the state store is to know, the smallest first. */
  readonly known: readonly number[];
  readonly sustainMs: number;
  readonly sustainLocationsPerSecond: number;
  readonly port: number;
  /** Downloads and builds of peers. */
  readonly cacheDir: string;
  /** Folder of the table and the JSON; undefined to print only. */
  readonly outDir: string | undefined;
  readonly help: boolean;
}

/** Every number of connections at the usual post, and every size of post at the usual number. */
const SIZES: readonly EdgeSize[] = [
  { lines: 64, locations: 10 }, { lines: 512, locations: 1 }, { lines: 512, locations: 10 },
  { lines: 512, locations: 50 }, { lines: 512, locations: 200 }, { lines: 2_048, locations: 10 },
];
const SIZES_TEXT = SIZES.map(({ lines, locations }) => `${lines}x${locations}`).join(',');

const KNOWN = '1000,100000,1000000';

/** How `npm run bench` is used. */
export const USAGE = `Measures cost, speed and freshness beside a bare server and the peers.

  npm run bench -- [options]

  --rows A,B         of ${ROWS.join(', ')} (default all but
                     sustained, which knows the largest fleet of --known)
  --peers A,B        of ${PEERS.join(', ')},
                     or none (default: those of others)
  --sizes 64x10,…    connections x locations per post at the edge
                     (default ${SIZES_TEXT})
  --rounds N         interleaved rounds of each row at the edge (default 3)
  --round-s S        seconds of a round (default 2)
  --devices N        devices that are tracked (default 256)
  --known 1000,…     sizes of fleets for the row known, in rising order (default ${KNOWN})
  --sustain-s S      seconds of the row sustained (default 600)
  --sustain-rate N   its locations per second (default 50000)
  --port P           first of a hundred ports (default 28600)
  --out DIR          writes bench.md and bench.json there
  --help             this text

Nothing else should run on the machine; its load before the run is written down.
`;

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: DEFAULT_ROWS.join(',') },
      peers: { type: 'string', default: PEERS_OF_OTHERS.join(',') },
      sizes: { type: 'string', default: SIZES_TEXT },
      rounds: { type: 'string', default: '3' },
      'round-s': { type: 'string', default: '2' },
      devices: { type: 'string', default: '256' },
      known: { type: 'string', default: KNOWN },
      'sustain-s': { type: 'string', default: '600' },
      'sustain-rate': { type: 'string', default: '50000' },
      port: { type: 'string', default: '28600' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    rows: namesIn('--rows', values.rows, ROWS),
    peers: values.peers === 'none' ? [] : namesIn('--peers', values.peers, PEERS),
    sizes: values.sizes.split(',').map(sizeIn),
    rounds: numberIn('--rounds', values.rounds, 1, 99),
    roundMs: numberIn('--round-s', values['round-s'], 0.1, 3_600) * 1_000,
    devices: numberIn('--devices', values.devices, 2, 100_000),
    known: values.known.split(',').map((text) => numberIn('--known', text, 1, 10_000_000)),
    sustainMs: numberIn('--sustain-s', values['sustain-s'], 1, 86_400) * 1_000,
    sustainLocationsPerSecond: numberIn('--sustain-rate', values['sustain-rate'], 10, 1_000_000),
    port: numberIn('--port', values.port, 1_024, 65_400),
    cacheDir: join(process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'), 'bench'),
    outDir: values.out === undefined ? undefined : resolve(values.out),
    help: values.help,
  };
}

function namesIn<Name extends string>(
  option: string, text: string, known: readonly Name[],
): readonly Name[] {
  return text.split(',').map((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) throw new Error(`${option} knows no ${name}; see --help.`);
    return found;
  });
}

function sizeIn(text: string): EdgeSize {
  const [lines = '', locations = ''] = text.split('x');
  return {
    lines: numberIn('--sizes', lines, 1, 16_384),
    locations: numberIn('--sizes', locations, 1, 1_000),
  };
}

function numberIn(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) return value;
  throw new Error(`${option} is ${text}, not a number from ${least} to ${most}.`);
}
