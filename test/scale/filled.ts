import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '../../infra/clickhouse/migrate-database.ts';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import type { Asker } from './ask.ts';
import {
  closeDays, computeBalances, computeDays, computeProviderDays, fill, type FleetFillPorts,
} from './fill.ts';
import { fleetOf, type ScaleFleet } from './fleet-sql.ts';
import { fillRest, isRestIn } from './rest/fill-rest.ts';
import { toAsk, type ToAsk } from './to-ask.ts';

/** What of a size is in the tables, so that what broke off goes on from there. */
interface FillState {
  readonly fleet: ScaleFleet;
  readonly days: number;
  /** Which steps of what a fleet has besides its fixes are in; none in older files. */
  readonly rest?: readonly string[];
  readonly isComputed: boolean;
}

/** What the tables are filled with, and where it is noted. */
export interface FillOptions {
  readonly rows: number;
  readonly dir: string;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** The fleet whose tables are full: a size is filled once, and asked as often as one likes. */
export async function filled(
  { rows, dir, leaving, print }: FillOptions, admin: Asker,
): Promise<ToAsk> {
  const file = join(dir, 'fleet.json');
  let state: FillState = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')) as FillState
    : { fleet: fleetOf(rows, Date.now()), days: 0, isComputed: false };
  const record = (change: Partial<FillState>): void => {
    state = { ...state, ...change };
    writeFileSync(file, JSON.stringify(state));
  };
  await migrateDatabase(admin);
  const store = openClickHouse(
    { ...CLICKHOUSE_LIMITS, requestMsMax: 3_600_000, ...admin }, { signals: silentSignals },
  );
  const ports: FleetFillPorts = { store, leaving, print };
  const { fleet, days, rest = [], isComputed } = state;
  try {
    if (!isComputed || !isRestIn(rest)) {
      await fill(ports, fleet, days, (daysIn) => {
        record({ days: daysIn, isComputed: false });
      });
      await fillRest(ports, fleet, rest, (steps) => {
        record({ rest: steps, isComputed: false });
      });
      await closeDays(ports);
      // Neither reads what the other computes.
      await Promise.all([computeDays(ports), computeBalances(ports)]);
      await computeProviderDays(ports);
      record({ isComputed: true });
    }
    return await toAsk(store, fleet);
  } finally {
    await store.close();
  }
}
