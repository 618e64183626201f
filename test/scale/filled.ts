import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '../../infra/clickhouse/migrate-database.ts';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import type { Asker } from './ask.ts';
import { closeDays, computeBalances, computeDays, fill, type FillPorts } from './fill.ts';
import { fleetOf, type ScaleFleet } from './fleet-sql.ts';

/** What of a size is in the tables, so that what broke off goes on from there. */
interface FillState {
  readonly fleet: ScaleFleet;
  readonly days: number;
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
): Promise<ScaleFleet> {
  const file = join(dir, 'fleet.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as FillState : undefined;
  if (known?.isComputed === true) return known.fleet;
  const fleet = known?.fleet ?? fleetOf(rows, Date.now());
  const record = (days: number, isComputed: boolean): void => {
    writeFileSync(file, JSON.stringify({ fleet, days, isComputed } satisfies FillState));
  };
  await migrateDatabase(admin);
  const store = openClickHouse(
    { ...CLICKHOUSE_LIMITS, requestMsMax: 3_600_000, ...admin }, { signals: silentSignals },
  );
  const ports: FillPorts = { store, leaving, print };
  try {
    await fill(ports, fleet, known?.days ?? 0, (days) => { record(days, false); });
    await closeDays(ports);
    print(`${await computeDays(ports)} days of devices are computed`);
    await computeBalances(ports);
    record(fleet.days, true);
  } finally {
    await store.close();
  }
  return fleet;
}
