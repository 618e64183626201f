import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import {
  createDatabase, migrate, readMigrations, statementsOf,
} from '../../../services/adapters/clickhouse/migrations.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { stackEnv } from '../../support/stack.ts';
import { freshDatabase, openAs } from './history.ts';

const server = openAs('admin', 'default');
const databases: string[] = [];
const folders: string[] = [];
const stores: ClickHouse[] = [];

afterEach(async () => {
  for (const database of databases.splice(0)) await server.execute(`DROP DATABASE ${database}`);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  for (const store of stores.splice(0)) await store.close();
});
afterAll(async () => { await server.close(); });

async function emptyDatabase(): Promise<ClickHouse> {
  const database = freshDatabase();
  await createDatabase(server, database);
  databases.push(database);
  const store = openAs('admin', database);
  stores.push(store);
  return store;
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rastro-migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const table = (name: string): string => (
  `CREATE TABLE IF NOT EXISTS ${name} (a Int32) ENGINE = MergeTree ORDER BY a;\n`
);
const tablesOf = async (store: ClickHouse): Promise<unknown[]> => (
  (await store.query('SHOW TABLES')).map(({ name }) => name)
);

describe('the migrations of this repository', () => {
  it('make the whole database, and nothing more when run again', async () => {
    const env = stackEnv();
    const database = freshDatabase();
    databases.push(database);
    const target = {
      url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD,
      database,
    };
    const files = (await readMigrations(MIGRATIONS_FOLDER)).map(({ name }) => name);
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(await migrateDatabase(target)).toEqual({ applied: files, alreadyApplied: [] });
    expect(await migrateDatabase(target)).toEqual({ applied: [], alreadyApplied: files });
    const columns = await server.query(
      `SELECT table, name FROM system.columns WHERE database = {database:String}
       AND startsWith(table, 'v_') AND comment = ''`,
      { database },
    );
    expect(columns).toEqual([]);
  });

  it('can be repeated statement by statement after a crash at any of them', async () => {
    const store = await emptyDatabase();
    // The record of migrations, which a run makes before the first of them.
    await migrate(store, []);
    const database = databases.at(-1) ?? '';
    for (const { statements } of await readMigrations(MIGRATIONS_FOLDER)) {
      for (const statement of statements) {
        const own = statement.replaceAll('{database}', database);
        await store.execute(own);
        await store.execute(own);
      }
    }
    expect((await tablesOf(store)).length).toBeGreaterThan(10);
  });

  it('come to the same when two runners start at once', async () => {
    const env = stackEnv();
    const database = freshDatabase();
    databases.push(database);
    const target = {
      url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD,
      database,
    };
    await Promise.all([migrateDatabase(target), migrateDatabase(target)]);
    const { alreadyApplied, applied } = await migrateDatabase(target);
    expect(applied).toEqual([]);
    expect(alreadyApplied.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a run of migrations', () => {
  it('records the SHA-256 of each file', async () => {
    const store = await emptyDatabase();
    await migrate(store, await readMigrations(await folderOf({ '0001_a.sql': table('a') })));
    expect(await store.query('SELECT version, name, checksum FROM schema_migrations')).toEqual([
      { version: 1, name: '0001_a.sql',
        checksum: createHash('sha256').update(table('a')).digest('hex') },
    ]);
  });

  it('goes on where it broke off, from the first file not recorded', async () => {
    const store = await emptyDatabase();
    const broken = { '0001_a.sql': table('a'), '0002_b.sql': `${table('b')}SELECT broken;\n` };
    await expect(migrate(store, await readMigrations(await folderOf(broken)))).rejects.toThrow();
    expect(await tablesOf(store)).toEqual(['a', 'b', 'schema_migrations']);

    const mended = { ...broken, '0002_b.sql': `${table('b')}${table('c')}` };
    expect(await migrate(store, await readMigrations(await folderOf(mended)))).toEqual({
      applied: ['0002_b.sql'], alreadyApplied: ['0001_a.sql'],
    });
    expect(await tablesOf(store)).toEqual(['a', 'b', 'c', 'schema_migrations']);
  });

  it('refuses a file that was changed after it was applied, and does nothing', async () => {
    const store = await emptyDatabase();
    await migrate(store, await readMigrations(await folderOf({ '0001_a.sql': table('a') })));
    const changed = { '0001_a.sql': `-- new\n${table('a')}`, '0002_b.sql': table('b') };
    await expect(migrate(store, await readMigrations(await folderOf(changed))))
      .rejects.toThrow('0001_a.sql differs');
    expect(await tablesOf(store)).toEqual(['a', 'schema_migrations']);
  });

  it('refuses a gap, and lets an older release run on a newer database', async () => {
    const store = await emptyDatabase();
    const both = await readMigrations(
      await folderOf({ '0001_a.sql': table('a'), '0002_b.sql': table('b') }),
    );
    await migrate(store, both);
    expect((await migrate(store, both.slice(0, 1))).applied).toEqual([]);
    await expect(migrate(store, both.slice(1))).rejects.toThrow('migration 1');
  });
});

describe('reading the files', () => {
  it.each([
    ['a name without a number', { 'a.sql': table('a') }],
    ['a number used twice', { '0001_a.sql': table('a'), '0001_b.sql': table('b') }],
  ])('refuses %s', async (_what, files) => {
    await expect(folderOf(files).then(readMigrations)).rejects.toThrow();
  });

  it('splits at a semicolon that ends a line, and drops what is only comment', () => {
    const text = "-- a; b\nSELECT ';' AS x,\n 1;\n\n-- the end;\n";
    expect(statementsOf(text).map((statement) => statement.trim()))
      .toEqual(["-- a; b\nSELECT ';' AS x,\n 1"]);
  });
});
