import { randomUUID } from 'node:crypto';
import { waitFor } from '../../infra/local/wait.ts';
import { migrateDatabase, type MigrateTarget } from '../../infra/clickhouse/migrate-database.ts';
import type { ClickHouse, ResultRow } from '../../services/adapters/clickhouse/clickhouse.ts';

/** Migrated once in a run, and copied for each test file. */
const TEMPLATE = 'test_template';
const MADE = `${TEMPLATE}_made`;
const MADE_MS_MAX = 120_000;
/** What migrations write beside tables and views; other rows of the template are its own. */
const WRITTEN = new Set(['schema_migrations', 'country_codes']);
const IS_ZONE = /^time_zone_/;
const REFRESHES = /^CREATE MATERIALIZED VIEW \S+ REFRESH /;
const WHEN = / REFRESH EVERY \d+ MINUTE /;
const IS_VIEW = /^CREATE (MATERIALIZED )?VIEW /;
/** The end of old rows, between the key of a table and its settings. */
const EXPIRY = /( ENGINE = .*?) TTL .*?( SETTINGS )/s;

/**
 * Makes a database with all that migrations make, in a third of their CPU: views are attached,
 * since the template proves that they can be read. Both lines are the administrator's: `server` to
 * any other database, `store` to the one that is made. What is computed every few minutes is
 * computed only when a test asks for it, unless `computes`: a dozen databases that compute keep the
 * engine busier than the tests do. With `keeps` no table has an end of old rows: 400 days after the
 * day that a test was written for, it would fail.
 */
export async function copyDatabase(
  server: ClickHouse, store: ClickHouse, target: MigrateTarget,
  { computes = false, keeps = false } = {},
): Promise<void> {
  await haveTemplate(server, target);
  const { database } = target;
  await server.execute(`CREATE DATABASE ${database} ENGINE = Atomic`);
  const objects = await server.query(
    `SELECT name, create_table_query AS made FROM system.tables
     WHERE database = '${TEMPLATE}' ORDER BY name`,
  );
  const named = objects.map((object) => ({ ...object, made: madeIn(database, object) }));
  const [views, tables] = [
    named.filter(({ made }) => IS_VIEW.test(made)), named.filter(({ made }) => !IS_VIEW.test(made)),
  ];
  // The client has a few connections; one that waits for an answer costs neither side anything.
  await Promise.all(tables.map(({ made }) => (
    store.execute(keeps ? made.replace(EXPIRY, '$1$2') : made))));
  // Before the views, so that no view takes these rows further.
  for (const { name } of tables as readonly ResultRow[]) {
    if (!WRITTEN.has(String(name)) && !IS_ZONE.test(String(name))) continue;
    await store.execute(`INSERT INTO ${String(name)} SELECT * FROM ${TEMPLATE}.${String(name)}`);
  }
  const refresh = views.filter(({ made }) => REFRESHES.test(made));
  const others = views.filter(({ made }) => !REFRESHES.test(made));
  await makeInAnyOrder(store, others.map(({ made }) => attached(made)));
  await makeInAnyOrder(store, refresh.map(({ made }) => (
    waiting(computes ? made : made.replace(WHEN, ' REFRESH EVERY 1 YEAR ')))));
}

/** Makes views by rounds, until all that one reads are there for it. */
async function makeInAnyOrder(store: ClickHouse, statements: readonly string[]): Promise<void> {
  const made = await Promise.allSettled(statements.map((statement) => store.execute(statement)));
  const left = statements.filter((_statement, at) => made[at]?.status === 'rejected');
  if (left.length === 0) return;
  if (left.length === statements.length) {
    throw made.find((each) => each.status === 'rejected')?.reason;
  }
  await makeInAnyOrder(store, left);
}

/** Migrates the template, or waits until another file of tests has done so. */
async function haveTemplate(server: ClickHouse, target: MigrateTarget): Promise<void> {
  const isMade = async (): Promise<boolean> => (
    await server.query(`SELECT name FROM system.databases WHERE name = '${MADE}'`)
  ).length > 0;
  if (await isMade()) return;
  try {
    await server.execute(`CREATE DATABASE ${TEMPLATE} ENGINE = Atomic`);
  } catch {
    // Another one makes it.
    await waitFor(isMade, { what: 'The template', deadlineMs: MADE_MS_MAX, everyMs: 100 });
    return;
  }
  try {
    await migrateDatabase({ ...target, database: TEMPLATE });
    await stopRefreshes(server);
  } catch (error) {
    await server.execute(`DROP DATABASE ${TEMPLATE}`); // The next file makes it.
    throw error;
  }
  await server.execute(`CREATE DATABASE ${MADE} ENGINE = Atomic`);
}

async function stopRefreshes(server: ClickHouse): Promise<void> {
  const views = await server.query(
    `SELECT view FROM system.view_refreshes WHERE database = '${TEMPLATE}'`,
  );
  for (const { view } of views) await server.execute(`SYSTEM STOP VIEW ${TEMPLATE}.${String(view)}`);
}

function madeIn(database: string, { made }: ResultRow): string {
  return String(made).replaceAll(`${TEMPLATE}.`, `${database}.`);
}

/** One that refreshes does so for the first time when it is due, as migrations make it. */
function waiting(made: string): string {
  return made.replace(' DEFINER = ', ' EMPTY DEFINER = ');
}

/** A view with its columns is attached as it stands; one without has some only with parameters. */
function attached(made: string): string {
  if (!/^CREATE (MATERIALIZED )?VIEW \S+ (TO \S+ )?\(/.test(made)) return made;
  return made.replace(/^CREATE (MATERIALIZED )?VIEW (\S+)/, `ATTACH $1VIEW $2 UUID '${randomUUID()}'`);
}
