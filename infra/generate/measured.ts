import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  FIGURES, LOCATIONS_A_RECORD, type Costs, type Figures,
} from '../../services/cli/capacity/costs.ts';
import { ASSUMED, show } from '../../services/cli/capacity/model.ts';
import { BENCH, benchCosts } from '../../scripts/generate-capacity/costs.ts';

/** A number for a manifest, and how it came about, for the comment beside it. */
export interface Reckoned<Value> {
  readonly value: Value;
  readonly because: string;
}

/** A kind of process whose cost of a location the bench has measured. */
export type Measured = 'gateways' | 'tableWriters' | 'projectors';

/** A process of the soak, whose memory was watched for its whole length. */
export type Soaked = 'gateway' | 'workers' | 'parties';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const SOAK = 'docs/reference/soak.md';
/** Locations a second that one Pod asks for: two carry 100,000 devices at twice the mean. */
const POD_LOCATIONS = 10_000;
const US = 1_000_000;
const MIB = 1_024 ** 2;
const CPU_STEP = 50;
const MEMORY_STEP = 32;

/** CPU in thousandths of a core that a Pod of this kind needs at its share of the peak. */
export function cpuFor(who: Measured): Reckoned<number> {
  const { [who]: us } = figures();
  const cores = POD_LOCATIONS * us / US / ASSUMED.busy;
  return {
    value: upTo(cores * 1_000, CPU_STEP),
    because: `${POD_LOCATIONS} locations a second x ${show(us)} µs / ${ASSUMED.busy} busy = `
      + `${show(cores)} cores\n(${FIGURES[who].path} of ${BENCH})`,
  };
}

/** MiB that a gateway held at most in the bench, the largest of its fleets. */
export function benchMemory(): Reckoned<number> {
  const mib = figures().gatewayBytes / MIB;
  return {
    value: upTo(mib, MEMORY_STEP),
    because: `${show(mib)} MiB measured (known.gatewayBytes of bench.json)`,
  };
}

/** MiB that a process of the soak held at its worst; throws when the page has no figure. */
export function soakMemory(who: Soaked): Reckoned<number> {
  const lines = readFileSync(join(ROOT_DIR, SOAK), 'utf8')
    .matchAll(/^\w+ +([a-z]+)[-\d]*: (\d+) to (\d+) MiB/gm);
  const mib = [...lines].flatMap(([, name, first, last]) => (
    name === who ? [Number(first), Number(last)] : []
  ));
  if (mib.length === 0) throw new Error(`${SOAK} has no memory of ${who}.`);
  const most = Math.max(...mib);
  return {
    value: upTo(most, MEMORY_STEP), because: `${most} MiB of ${who} in ${SOAK}`,
  };
}

/** Records a second that one table-writer took while it caught up, with ClickHouse beside it. */
export function writerPace(): Reckoned<number> {
  const { catchUp } = figures();
  return {
    value: Math.floor(catchUp / LOCATIONS_A_RECORD),
    because: `measured: ${show(catchUp)} locations a second while catching up\n`
      + `(${FIGURES.catchUp.path} of bench.json), ${LOCATIONS_A_RECORD} in a record`,
  };
}

/** Records a second of a busy core, by what one location costs the projectors. */
export function projectorPace(): Reckoned<number> {
  const { projectors } = figures();
  return {
    value: Math.floor(US * ASSUMED.busy / (projectors * LOCATIONS_A_RECORD)),
    because: `measured: a core ${ASSUMED.busy} busy / ${show(projectors)} µs a location\n`
      + `(${FIGURES.projectors.path} of bench.json), ${LOCATIONS_A_RECORD} in a record`,
  };
}

/** What the committed run of the bench measured; throws where there is none. */
export function committedCosts(): Costs {
  const costs: Costs | undefined = benchCosts(ROOT_DIR);
  if (costs === undefined) throw new Error('No run of the bench is committed to size Pods by.');
  return costs;
}

function figures(): Figures {
  return committedCosts().figures;
}

function upTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
