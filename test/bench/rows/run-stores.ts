import { openFleet, type BenchFleet } from '../fleet.ts';
import type { BenchCluster } from '../cluster.ts';
import { openShooter, type Shooter } from '../load/open-shooter.ts';
import type { BenchReport } from '../measured.ts';
import { openLastStates, openStore, type BenchTables } from '../store.ts';
import { measureCatchUp } from './catch-up.ts';
import { measureChain, type ChainPlan, type ChainRow } from './chain.ts';
import { measureDays } from './days.ts';
import { diskUse, mergedSize } from './disk.ts';
import { HALF, measureFreshness, type FreshnessRow } from './freshness.ts';
import { measureKnownDevices, SENDING_MAX } from './known-devices.ts';
import { postRecordedTracks } from './recorded-tracks.ts';
import { measureSustained, type SustainedRow } from './sustained.ts';

/** Kinds of rows that need the workers, in the order in which they are measured. */
export const STORE_ROWS = [
  'chain', 'freshness', 'catch-up', 'known', 'disk', 'sustained',
] as const;

/** One kind of row that needs the workers. */
export type StoreRow = (typeof STORE_ROWS)[number];

/** What is measured behind the edge. */
export interface StoreWishes {
  readonly rows: readonly StoreRow[];
  /** Sizes of fleets for the rows of known devices, the smallest first. */
  readonly known: readonly number[];
  readonly nextSecond: () => number;
  /** Length of the row `sustained`. */
  readonly sustainMs: number;
  readonly sustainLocationsPerSecond: number;
}

/** Load of the row of the chain, by which the others go. */
export const CHAIN = { locations: 10, lines: 64 };
const MORE_LINES = [512, 2_048];
const WARM_UP_MS = 15_000;
const CHAIN_MS = 15_000;
const FRESHNESS_MS = 20_000;
/** Shares of full speed at which freshness is measured. */
const FRESHNESS_LOADS = [0.1, HALF, 0.8];
const AWAY_MS = 20_000;
const AWAY_LOAD = 0.25;

/** The rows that need the workers: at full speed first, to know what half of it is. */
export async function runStores(
  cluster: BenchCluster, wishes: StoreWishes, report: BenchReport,
): Promise<void> {
  const { rows, known, nextSecond } = wishes;
  const shooter = openShooter();
  const tables = openStore(cluster.local);
  const fleet = openFleet(cluster.local, cluster.senders[0]?.token ?? '');
  const last = openLastStates(cluster.local);
  const plan = (ms: number, postsPerSecond: number): ChainPlan => (
    { ...CHAIN, ms, postsPerSecond, firstSecond: nextSecond() }
  );
  try {
    const isOfDisk = rows.includes('disk');
    const empty = await tables.size();
    if (isOfDisk) await postRecordedTracks(cluster);
    const recorded = isOfDisk ? await mergedSize(tables) : empty;
    // The same without a row: a process that has just started compiles more than it works.
    await measureChain(cluster, shooter, tables, plan(WARM_UP_MS, 0));
    const chain = await measureChain(cluster, shooter, tables, plan(CHAIN_MS, 0));
    report.chain = chain;
    if (rows.includes('chain')) {
      await tables.withoutRefreshes(async () => {
        const more: ChainRow[] = [];
        for (const lines of MORE_LINES) {
          const load = { ...plan(CHAIN_MS, 0), lines };
          more.push(await measureChain(cluster, shooter, tables, load));
        }
        report.chainOnMoreLines = more;
        report.days = await measureDays(cluster, tables);
      });
    }
    const peak = chain.locationsPerSecond / CHAIN.locations;
    if (rows.includes('freshness')) {
      const curve: FreshnessRow[] = [];
      for (const loadFraction of FRESHNESS_LOADS) {
        const load = plan(FRESHNESS_MS, peak * loadFraction);
        const row = await measureFreshness(cluster, shooter, { tables, last }, load);
        curve.push({ loadFraction, ...row });
      }
      report.freshness = curve;
    }
    if (rows.includes('catch-up')) {
      const load = plan(AWAY_MS, peak * AWAY_LOAD);
      report.catchUp = await measureCatchUp(cluster, shooter, tables, load);
    }
    if (rows.includes('known')) {
      report.known = await measureKnownDevices(
        cluster, shooter, tables, fleet, known, () => plan(CHAIN_MS, 0),
      );
    }
    if (rows.includes('sustained')) {
      report.sustained = await sustain(cluster, { shooter, tables, fleet }, wishes, plan);
    }
    if (isOfDisk) {
      report.disk = {
        recorded: diskUse(empty, recorded),
        simulated: diskUse(recorded, await mergedSize(tables)),
      };
    }
  } finally {
    last.close();
    await fleet.close();
    await tables.close();
    await shooter.close();
  }
}

async function sustain(
  cluster: BenchCluster,
  { shooter, tables, fleet }: { shooter: Shooter; tables: BenchTables; fleet: BenchFleet },
  { known, sustainMs, sustainLocationsPerSecond }: StoreWishes,
  plan: (ms: number, postsPerSecond: number) => ChainPlan,
): Promise<SustainedRow> {
  const devices = Math.max(...known);
  await fleet.growTo(devices);
  const senders = fleet.spread(SENDING_MAX, devices);
  const posts = sustainLocationsPerSecond / CHAIN.locations;
  return measureSustained(
    { ...cluster, senders }, shooter, tables, plan(sustainMs, posts), devices,
  );
}
