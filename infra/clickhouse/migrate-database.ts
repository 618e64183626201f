import { CLICKHOUSE_LIMITS, openClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import {
  createDatabase,
  migrate,
  readMigrations,
  type MigrationReport,
} from '../../services/adapters/clickhouse/migrations.ts';
import { writeCountryCodes } from '../../services/adapters/clickhouse/country-codes.ts';
import { writeTimeZones } from '../../services/adapters/clickhouse/time-zones.ts';
import { knownCountries } from '../../services/adapters/config/countries.ts';
import type { TlsTexts } from '../../services/kernel/tls.ts';
import { silentSignals } from '../../services/kernel/signals.ts';

/** Where to migrate: a user who may create tables, and the database, made if it is missing. */
export interface MigrateTarget {
  readonly url: string;
  /** Who signs the store, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Countries as `RASTRO_COUNTRIES` names them. */
  readonly countries?: readonly string[];
}

/** The folder of the numbered files. */
export const MIGRATIONS_FOLDER = import.meta.dirname;

/** A statement that fills a table from months of rows takes its time. */
export const STATEMENT_MS_MAX = 3_600_000;

/** Creates the database and applies every file of the folder that is missing. */
export async function migrateDatabase(
  target: MigrateTarget, folder: string = MIGRATIONS_FOLDER,
): Promise<MigrationReport> {
  const ports = { signals: silentSignals };
  const server = openClickHouse({ ...CLICKHOUSE_LIMITS, ...target, database: 'default' }, ports);
  const store = openClickHouse(
    { ...CLICKHOUSE_LIMITS, ...target, requestMsMax: STATEMENT_MS_MAX }, ports,
  );
  try {
    await createDatabase(server, target.database);
    const report = await migrate(store, await readMigrations(folder));
    if (folder === MIGRATIONS_FOLDER) {
      await writeCountryCodes(store, knownCountries(target.countries ?? []));
      await writeTimeZones(store);
    }
    return report;
  } finally {
    await Promise.all([server.close(), store.close()]);
  }
}
