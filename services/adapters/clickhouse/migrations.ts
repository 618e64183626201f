import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from './clickhouse.ts';

/**
 * One numbered file of statements. `checksum` is the SHA-256 of its text, in hex. `{database}` in
 * it is the database that is migrated: ClickHouse completes names of tables in views, but not those
 * in arguments of functions.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** What one run did. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly alreadyApplied: readonly string[];
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const STATEMENT_END = /;[ \t]*$/m;
const COMMENT_LINE = /^\s*--.*$/gm;
const FILLS = /^\s*INSERT INTO/;
/** Longer than any insert may take. */
const INSERTS_MS_MAX = 150_000;
const LOOK_AGAIN_MS = 50;

const LEDGER = `
CREATE TABLE IF NOT EXISTS schema_migrations
(
    version    UInt32,
    name       String,
    checksum   String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree
ORDER BY (version, checksum)`;

/** Reads the numbered files of a folder, lowest number first. Two files of one number throw. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const version = Number(FILE_NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(version)) throw new Error(`${name}: the name must be NNNN_some_words.sql`);
    if (migrations.at(-1)?.version === version) throw new Error(`${name}: number taken`);
    const text = await readFile(join(folder, name), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    migrations.push({ version, name, checksum, statements: statementsOf(text) });
  }
  return migrations;
}

/** The statements of a file: each ends with a semicolon at the end of its line. */
export function statementsOf(text: string): readonly string[] {
  return text.split(STATEMENT_END).filter((part) => part.replace(COMMENT_LINE, '').trim() !== '');
}

/**
 * Creates `database` through `server` (a connection to an existing database) if it is missing.
 */
export async function createDatabase(server: ClickHouse, database: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]*$/.test(database)) throw new Error(`not a database name: ${database}`);
  await server.execute(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`);
}

/**
 * Brings the database of `store` up to date, one statement at a time. A file is recorded after its
 * last statement, and every statement can be repeated. So a run that broke off is simply run again,
 * and two runs at once do the same thing twice. No lock is needed that could stay behind. Throws
 * without touching anything when an applied file has another text now. A released
 * file is fixed; a database of a commit before 0.1.0 is dropped and filled again from the log.
 */
export async function migrate(
  store: ClickHouse,
  migrations: readonly Migration[],
): Promise<MigrationReport> {
  await store.execute(LEDGER);
  const recorded = await readLedger(store);
  refuseConflicts(migrations, recorded);
  const [{ name: database } = {}] = await store.query('SELECT currentDatabase() AS name');
  const applied: string[] = [];
  const alreadyApplied: string[] = [];
  for (const migration of migrations) {
    if (recorded.has(migration.version)) {
      alreadyApplied.push(migration.name);
      continue;
    }
    for (const statement of migration.statements) {
      if (FILLS.test(statement.replace(COMMENT_LINE, ''))) await awaitInserts(store);
      await store.execute(statement.replaceAll('{database}', String(database)));
    }
    await record(store, migration);
    applied.push(migration.name);
  }
  refuseConflicts(migrations, await readLedger(store));
  return { applied, alreadyApplied };
}

/**
 * Waits until the inserts in progress have ended. They began before the view that a file made last,
 * so that their rows do not come by it; nor would a statement that fills its table see them yet.
 */
async function awaitInserts(store: ClickHouse): Promise<void> {
  const running = async (): Promise<readonly string[]> => (await store.query(
    "SELECT query_id FROM system.processes WHERE query_kind = 'Insert'",
  )).map((row) => String(row['query_id']));
  const before = new Set(await running());
  const deadlineMs = Date.now() + INSERTS_MS_MAX;
  while ((await running()).some((id) => before.has(id))) {
    if (Date.now() > deadlineMs) throw new Error('inserts do not end; run the migrations again');
    await pause(LOOK_AGAIN_MS);
  }
}

type Ledger = ReadonlyMap<number, ReadonlySet<string>>;

async function readLedger(store: ClickHouse): Promise<Ledger> {
  const rows = await store.query(
    'SELECT version, groupUniqArray(checksum) AS checksums FROM schema_migrations GROUP BY version',
  );
  return new Map(rows.map(({ version, checksums }) => (
    [Number(version), new Set(checksums as string[])]
  )));
}

/** Two runners of different releases show up here as two checksums of one number. */
function refuseConflicts(migrations: readonly Migration[], recorded: Ledger): void {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? 0;
  for (const [version, checksums] of recorded) {
    const migration = known.get(version);
    if (migration === undefined) {
      // A newer release went back to this one: its migrations only added things.
      if (version > newest) continue;
      throw new Error(`migration ${version} is applied but has no file`);
    }
    if (checksums.size !== 1 || !checksums.has(migration.checksum)) {
      throw new Error(`${migration.name} differs from what was applied; add a new file instead`);
    }
  }
}

async function record(store: ClickHouse, migration: Migration): Promise<void> {
  const { version, name, checksum } = migration;
  await store.execute(
    `INSERT INTO schema_migrations (version, name, checksum) SETTINGS async_insert = 0
     VALUES (${version}, '${name}', '${checksum}')`,
  );
}
