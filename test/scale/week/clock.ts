import { MIGRATIONS_FOLDER } from '../../../infra/clickhouse/migrate-database.ts';
import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { writeCountryCodes } from '../../../services/adapters/clickhouse/country-codes.ts';
import { migrate, readMigrations } from '../../../services/adapters/clickhouse/migrations.ts';
import { knownCountries } from '../../../services/adapters/config/countries.ts';

/** The files that compute days, whose clock is the simulated one. */
const FIRST = 15;
const LAST = 23;

/** Sets the simulated clock, epoch seconds. */
export function setClock(store: ClickHouse, seconds: number): Promise<void> {
  return store.execute(`CREATE OR REPLACE VIEW simulated_clock
    AS SELECT fromUnixTimestamp64Milli(toInt64(${seconds * 1_000}), 'UTC') AS at`);
}

/**
 * Makes the tables of fixes and of their days. Where their statements ask the time, they ask the
 * simulated clock; nothing is refreshed by the real one.
 */
export async function migrateOnClock(store: ClickHouse, startS: number): Promise<void> {
  await setClock(store, startS);
  const files = (await readMigrations(MIGRATIONS_FOLDER)).filter(({ version }) => version <= LAST);
  await migrate(store, files.map((file) => (
    file.version < FIRST ? file : { ...file, statements: file.statements.map(onClock) }
  )));
  await writeCountryCodes(store, knownCountries([]));
}

function onClock(statement: string): string {
  return statement
    .replace(/REFRESH EVERY \d+ MINUTE/, 'REFRESH EVERY 1 YEAR')
    .replaceAll('now64(3, \'UTC\')', '(SELECT at FROM simulated_clock)')
    .replaceAll('now(\'UTC\')', '(SELECT toDateTime(at, \'UTC\') FROM simulated_clock)');
}
