import { openFleet } from '../fleet.ts';
import type { BenchHouse } from '../house.ts';
import { openShooter, type Shooter } from '../load/open-shooter.ts';
import type { BenchReport } from '../measured.ts';
import { openLastStates, openStore, type Store } from '../store.ts';
import { measureCatchUp } from './catch-up.ts';
import { measureChain, type ChainPlan } from './chain.ts';
import { diskUse, mergedSize } from './disk.ts';
import { measureFreshness } from './freshness.ts';
import { measureKnownDevices, type KnownDevicesRow } from './known-devices.ts';
import { postRecordedTracks } from './recorded-tracks.ts';

/** Kinds of rows that need the workers, in the order in which they are measured. */
export const STORE_ROWS = ['chain', 'freshness', 'catch-up', 'known', 'disk'] as const;

/** One kind of row that needs the workers. */
export type StoreRow = (typeof STORE_ROWS)[number];

/** What is measured behind the edge. */
export interface StoreWishes {
  readonly rows: readonly StoreRow[];
  /** Sizes of fleets for the rows of known devices, the smallest first. */
  readonly known: readonly number[];
  readonly nextSecond: () => number;
}

/** Load of the row of the chain, by which the others go. */
export const CHAIN = { locations: 10, lines: 64 };
const WARM_UP_MS = 6_000;
const CHAIN_MS = 15_000;
const FRESHNESS_MS = 20_000;
const AWAY_MS = 20_000;

/** The rows that need the workers: at full speed first, which tells what half of it is. */
export async function runStores(
  house: BenchHouse, { rows, known, nextSecond }: StoreWishes, report: BenchReport,
): Promise<void> {
  const shooter = openShooter();
  const tables = openStore(house.system);
  const last = openLastStates(house.system);
  const plan = (ms: number, postsPerSecond: number): ChainPlan => (
    { ...CHAIN, ms, postsPerSecond, firstSecond: nextSecond() }
  );
  try {
    const isOfDisk = rows.includes('disk');
    const empty = await tables.size();
    if (isOfDisk) await postRecordedTracks(house);
    const recorded = isOfDisk ? await mergedSize(tables) : empty;
    // The same without a row: a process that has just started compiles more than it works.
    await measureChain(house, shooter, tables, plan(WARM_UP_MS, 0));
    report.chain = await measureChain(house, shooter, tables, plan(CHAIN_MS, 0));
    const half = report.chain.locationsPerSecond / CHAIN.locations / 2;
    if (rows.includes('freshness')) {
      report.freshness = await measureFreshness(
        house, shooter, { tables, last }, plan(FRESHNESS_MS, half),
      );
    }
    if (rows.includes('catch-up')) {
      report.catchUp = await measureCatchUp(house, shooter, tables, plan(AWAY_MS, half / 2));
    }
    if (rows.includes('known')) {
      report.known = await measureFleets(house, shooter, tables, known, () => plan(CHAIN_MS, 0));
    }
    if (isOfDisk) {
      report.disk = {
        recorded: diskUse(empty, recorded),
        simulated: diskUse(recorded, await mergedSize(tables)),
      };
    }
  } finally {
    last.close();
    await tables.close();
    await shooter.close();
  }
}

async function measureFleets(
  house: BenchHouse, shooter: Shooter, tables: Store, known: readonly number[],
  plan: () => ChainPlan,
): Promise<readonly KnownDevicesRow[]> {
  const fleet = openFleet(house.system, house.senders[0]?.token ?? '');
  try {
    return await measureKnownDevices(house, shooter, tables, fleet, known, plan);
  } finally {
    await fleet.close();
  }
}
