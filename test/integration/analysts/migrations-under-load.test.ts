import { afterEach, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import {
  createDatabase, migrate, readMigrations, type Migration,
} from '../../../services/adapters/clickhouse/migrations.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { MIGRATIONS_FOLDER } from '../../../infra/clickhouse/migrate-database.ts';
import { stackEnv } from '../../support/stack.ts';
import { freshDatabase, openAs, post, writePosts } from '../clickhouse/history.ts';
import { refreshDays } from './tracks.ts';

/** Files up to this one make an earlier release, without the days of devices. */
const OLD = 14;
/** What a release that brings the days adds to its file, so that older rows come into them. */
const FILL = `
INSERT INTO device_minutes (device_id, minute, seconds, last_place, speed_max, odometer_min,
       odometer_max, ignition, provider, country_id, is_late, arrived_at)
SELECT device_id, toStartOfMinute(ts) AS minute,
       groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))),
       max((ts, lat_e7, lon_e7, geoToH3(lat_e7 / 1e7, lon_e7 / 1e7, 8))), max(speed), min(odometer),
       max(odometer), max(ignition), max(provider), max(country_id), is_late,
       now('UTC')
FROM locations
WHERE lat_e7 != 0 OR lon_e7 != 0
GROUP BY device_id, minute, is_late
SETTINGS max_partitions_per_insert_block = 2000`;
const FIXES = 20;
const START = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
const opened: ClickHouse[] = [];

afterEach(async () => {
  const [admin] = opened;
  const [row] = await admin?.query('SELECT currentDatabase() AS name') ?? [];
  await admin?.execute(`DROP DATABASE ${String(row?.['name'])}`);
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

/** A database as the release before the days of devices left it. */
async function oldDatabase(): Promise<{
  readonly database: string; readonly all: readonly Migration[];
  readonly admin: ClickHouse; readonly ingest: ClickHouse;
}> {
  const database = freshDatabase();
  const server = openAs('admin', 'default');
  await createDatabase(server, database);
  await server.close();
  const [admin, ingest] = [openAs('admin', database), openAs('ingest', database)];
  opened.push(admin, ingest);
  const all = (await readMigrations(MIGRATIONS_FOLDER)).map((file) => (
    file.version === OLD + 1 ? { ...file, statements: [...file.statements, FILL] } : file
  ));
  await migrate(admin, all.filter(({ version }) => version <= OLD));
  expect(all[OLD]?.name).toBe('0015_device_days.sql');
  return { database, all, admin, ingest };
}

/** A post of fixes that no other post has, one a second. */
const nextPost = (n: number) => post(Array.from({ length: FIXES }, (_, second) => ({
  timestamp: START + FIXES * n + second, country_id: 'BR', latitude: 1 + n / 1e4, longitude: 2,
})), { device: 'd1' });

/** The store of a runner that is killed after so many statements. */
function killedAfter(store: ClickHouse, statements: number): ClickHouse {
  let left = statements;
  return {
    ...store,
    async execute(statement) {
      if (left === 0) throw new Error('killed');
      left -= 1;
      await store.execute(statement);
    },
  };
}

/** How many fixes each of the layers holds. */
async function held(admin: ClickHouse): Promise<unknown> {
  await refreshDays(admin);
  const [row] = await admin.query(`
    SELECT (SELECT count() FROM v_locations) AS locations,
           (SELECT sum(seconds) FROM v_device_minutes) AS minutes,
           (SELECT sum(seconds) FROM v_device_days) AS days`);
  return row;
}

describe('migrations to the newest release', () => {
  it('lose nothing of what is written meanwhile, however often they are killed', async () => {
    const { all, admin, ingest } = await oldDatabase();
    let [posts, isOver] = [0, false];
    const writing = (async () => {
      while (!isOver) {
        expect(await writePosts(ingest, [nextPost(posts)])).toEqual([]);
        posts += 1;
      }
    })();
    await waitFor(() => posts > 2, { what: 'the first posts', deadlineMs: 8_000 });
    let kills = 0;
    for (let statements = 2; ; statements *= 3) {
      const done = await migrate(killedAfter(admin, statements), all).catch(() => undefined);
      if (done !== undefined) break;
      kills += 1;
    }
    isOver = true;
    await writing;
    expect(kills).toBeGreaterThan(2);
    expect(await migrate(admin, all)).toMatchObject({ applied: [] });
    const sent = String(posts * FIXES);
    expect(await held(admin)).toEqual({ locations: sent, minutes: sent, days: sent });
  });

  it('wait for an insert that began before them', async () => {
    const { database, all, admin, ingest } = await oldDatabase();
    expect(await writePosts(ingest, [nextPost(0)])).toEqual([]);
    const { CLICKHOUSE_URL, CLICKHOUSE_INGEST_USER, CLICKHOUSE_INGEST_PASSWORD } = stackEnv();
    const query = encodeURIComponent('INSERT INTO in_locations FORMAT JSONEachRow');
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const slow = fetch(`${CLICKHOUSE_URL}/?database=${database}&query=${query}`, {
      method: 'POST', body: readable, duplex: 'half',
      headers: {
        'X-ClickHouse-User': CLICKHOUSE_INGEST_USER, 'X-ClickHouse-Key': CLICKHOUSE_INGEST_PASSWORD,
      },
    });
    const writer = writable.getWriter();
    // The server begins when it has so much that the rest cannot be part of the statement.
    await writer.write(Buffer.alloc(600_000, '\n'));
    await writer.write(Buffer.from('{"m":{"d":"d1","o":"7","p":"acme","c":"BR",'));
    const count = async (sql: string): Promise<number> => (
      Number((await admin.query(sql, { database }))[0]?.['n'])
    );
    await waitFor(async () => await count(
      `SELECT count() AS n FROM system.processes
       WHERE query_kind = 'Insert' AND current_database = {database:String}`,
    ) > 0, { what: 'the slow insert', deadlineMs: 8_000 });
    const migrating = migrate(admin, all);
    await waitFor(async () => await count(
      `SELECT count() AS n FROM system.tables
       WHERE database = {database:String} AND name = 'in_flat_fixes_to_device_minutes'`,
    ) > 0, { what: 'the view of minutes', deadlineMs: 8_000 });
    await writer.write(Buffer.from(`"t":1,"r":${Date.now()},"kp":0,"ko":5},"post_timestamp":1,`
      + `"locations":[{"timestamp":${START + 500},"latitude":1,"longitude":2}]}\n`));
    await writer.close();
    expect((await slow).status).toBe(200);
    await migrating;
    const sent = String(FIXES + 1);
    expect(await held(admin)).toEqual({ locations: sent, minutes: sent, days: sent });
  });
});
