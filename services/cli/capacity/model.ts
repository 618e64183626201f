import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Costs, Figures } from './costs.ts';

/** The fleet to size for. */
export interface Demand {
  readonly devices: number;
  /** Seconds between two locations of a device. */
  readonly periodSeconds: number;
}

/**
 * What was not measured, and what was decided: each is an option of the command, and each is
 * named where it is used.
 */
export const ASSUMED = {
  /** The busiest minute beside the mean. */
  peak: 2,
  /** Busy share of a core at the peak; what autoscalers keep gateways at. */
  busy: 0.65,
  /** Full share of memory and disks. */
  full: 0.7,
  /** Copies of each record at the brokers; a copy costs a broker as much as the first. */
  copies: 3,
  /** Cores of one broker. */
  brokerCores: 4,
  /** A location in the log, headers and compression considered. */
  logBytes: 120,
  /** What ClickHouse has for merges and caches, in GiB. */
  mergeGib: 2,
} as const;

/** The assumptions with the values of one calculation. */
export type Assumptions = Readonly<Record<keyof typeof ASSUMED, number>>;

/** One result with the arithmetic that led to it. */
export interface Line {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** With every number in it, so that it can be done by hand. */
  readonly arithmetic: string;
}

const US = 1_000_000;
const GIB = 1_024 ** 3;
const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;
/** As the tables say (infra/clickhouse/0001_locations.sql). */
const TABLE_DAYS = 400;
const PODS_MIN = 2;
const BROKERS_MIN = 3;
/** Limits of the analyst in users.xml: queries at once, and bytes of each. */
const ANALYST = { queries: 10, gigabytes: 1 };
/** One insert and what is read ahead of it (services/workers/table-writer). */
const INSERT_GIB = 0.125;

/** Everything that must be bought for a demand, line by line. */
export function sizeFor(
  demand: Demand, { figures }: Costs, assumed: Assumptions = ASSUMED,
): readonly Line[] {
  const mean = demand.devices / demand.periodSeconds;
  const peak = mean * assumed.peak;
  const flow: readonly Line[] = [
    line('locations', mean, 'a second', `${demand.devices} devices / ${demand.periodSeconds} s`),
    line('locations at the peak', peak, 'a second', `${show(mean)} × peak ${assumed.peak}`),
  ];
  const cores = (name: keyof Figures, copies = 1): Line => line(
    `${WHO[name] ?? name}: cores`, peak * figures[name] * copies / US / assumed.busy, 'cores',
    `${show(peak)} × ${show(figures[name])} µs${copies === 1 ? '' : ` × ${copies} copies`}`
      + ` / ${US} / busy ${assumed.busy}`,
  );
  const pods = (of: Line, who: string): Line => line(
    `${who}: Pods of one core`, Math.max(PODS_MIN, Math.ceil(of.value)), 'Pods',
    `${show(of.value)} rounded up, at least ${PODS_MIN}`,
  );
  const [gateways, writers, projectors] = [cores('gateways'), cores('tableWriters'), cores('projectors')];
  const writerPods = pods(writers, 'table-writer');
  return [
    ...flow,
    gateways, pods(gateways, 'gateway of locations'),
    writers, writerPods, projectors,
    ...logLines(mean, cores('brokers', assumed.copies), [writerPods.value, projectors.value], assumed),
    ...redisLines(demand, figures, cores('redis'), assumed),
    ...tableLines(mean, figures, cores('clickhouse'), writerPods.value, assumed),
  ];
}

const WHO: Readonly<Partial<Record<keyof Figures, string>>> = {
  gateways: 'gateways', tableWriters: 'table-writers', projectors: 'all other workers',
  redis: 'Redis', clickhouse: 'ClickHouse, inserting', brokers: 'brokers',
};

function logLines(
  mean: number, cores: Line, readers: readonly number[], assumed: Assumptions,
): readonly Line[] {
  const { partitions, retention_ms } = TOPICS.locations;
  const days = retention_ms / DAY_MS;
  const wanted = Math.max(...readers.map(Math.ceil));
  return [
    cores,
    line('brokers', Math.max(BROKERS_MIN, Math.ceil(cores.value / assumed.brokerCores)), 'brokers',
      `${show(cores.value)} cores / ${assumed.brokerCores} of a broker, at least ${BROKERS_MIN}`),
    line('partitions of locations', Math.max(partitions, wanted), 'partitions',
      `at least ${partitions} of the catalog; ${wanted} of the group that needs most Pods`
        + (wanted > partitions ? '; a topic of a new version, because none ever changes its count' : '')),
    line('log: disk of all brokers', mean * DAY_S * days * assumed.logBytes * assumed.copies
      / assumed.full / GIB, 'GiB', `${show(mean)} × ${DAY_S} s × ${days} days × ${assumed.logBytes} `
      + `bytes × ${assumed.copies} copies / full ${assumed.full} / ${GIB}`),
  ];
}

function redisLines(
  { devices }: Demand, { redisBytes }: Figures, cores: Line, assumed: Assumptions,
): readonly Line[] {
  return [
    cores,
    line('Redis: shards', Math.max(1, Math.ceil(cores.value)), 'shards',
      `${show(cores.value)} rounded up: a shard uses one core`),
    line('Redis: memory of all shards', devices * redisBytes / assumed.full / GIB, 'GiB',
      `${devices} devices × ${show(redisBytes)} bytes / full ${assumed.full} / ${GIB}`),
  ];
}

function tableLines(
  mean: number, { diskBytes }: Figures, cores: Line, writers: number, assumed: Assumptions,
): readonly Line[] {
  return [
    cores,
    line('ClickHouse: disk of one copy', mean * DAY_S * TABLE_DAYS * diskBytes / assumed.full / GIB,
      'GiB', `${show(mean)} × ${DAY_S} s × ${TABLE_DAYS} days × ${show(diskBytes)} bytes `
        + `/ full ${assumed.full} / ${GIB}`),
    line('ClickHouse: memory', assumed.mergeGib + writers * INSERT_GIB
      + ANALYST.queries * ANALYST.gigabytes, 'GiB',
    `${assumed.mergeGib} for merges + ${writers} writers × ${INSERT_GIB} + ${ANALYST.queries} queries `
      + `of analysts × ${ANALYST.gigabytes}: limits, not measured`),
  ];
}

function line(what: string, value: number, unit: string, arithmetic: string): Line {
  return { what, value, unit, arithmetic };
}

/** Three digits that count, without an exponent. */
export function show(value: number): string {
  if (Number.isInteger(value) || value >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
