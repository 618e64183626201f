import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, freshDatabase, openAs, type History } from './history.ts';

const migrated = freshDatabase();
let copied: History;
let kept: History;
let server: ClickHouse;

beforeAll(async () => {
  const env = stackEnv();
  server = openAs('admin', 'default');
  copied = await createHistory({ asInProduction: true });
  kept = await createHistory();
  await migrateDatabase({
    url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD,
    database: migrated,
  });
});
afterAll(async () => {
  await copied.drop();
  await kept.drop();
  await server.execute(`DROP DATABASE ${migrated}`);
  await server.close();
});

/** What a question has to say about each of both databases, where its own name is `DB`. */
async function inBoth(question: (database: string) => string): Promise<readonly string[]> {
  return Promise.all([copied.database, migrated].map(async (database) => (
    JSON.stringify(await server.query(question(database))).replaceAll(database, 'DB')
  )));
}

describe('the database of a test file', () => {
  it('has every table and view that migrations make, as they make it', async () => {
    const [copy, original] = await inBoth((database) => `
      SELECT name, engine, create_table_query FROM system.tables
      WHERE database = '${database}' ORDER BY name`);
    expect(copy).toBe(original);
  });

  it('keeps its rows for good where a test is not about their end, and is else the same', async () => {
    const tablesOf = async (database: string): Promise<ReadonlyMap<string, string>> => {
      const rows = await server.query(`
        SELECT name, engine_full FROM system.tables WHERE database = '${database}'`);
      return new Map(rows.map(({ name, engine_full }) => (
        [String(name), String(engine_full).replaceAll(database, 'DB')]
      )));
    };
    const [lasting, original] = [await tablesOf(kept.database), await tablesOf(migrated)];
    expect([...original.values()].some((engine) => engine.includes(' TTL '))).toBe(true);
    const without = [...original].map(([name, engine]) => (
      [name, engine.replace(/ TTL .*(?= SETTINGS )/s, '')]
    ));
    expect(Object.fromEntries(lasting)).toEqual(Object.fromEntries(without));
  });

  it('has the rows that migrations write', async () => {
    const tables = await server.query(`SELECT name FROM system.tables
      WHERE database = '${migrated}' AND total_rows > 0 AND name NOT LIKE 'ingest\\\\_%' ORDER BY name`);
    const names = tables.map(({ name }) => String(name));
    expect(names).toEqual(expect.arrayContaining(['country_codes', 'time_zone_runs']));
    for (const name of names) {
      const [copy, original] = await inBoth((database) => `SELECT count() FROM ${database}.${name}`);
      expect([name, copy]).toEqual([name, original]);
    }
  });

  it('computes what migrations let be computed, and nothing before all of it is there', async () => {
    const [copy, original] = await inBoth((database) => `
      SELECT view, exception FROM system.view_refreshes
      WHERE database = '${database}' ORDER BY view`);
    expect(copy).toBe(original);
  });
});
