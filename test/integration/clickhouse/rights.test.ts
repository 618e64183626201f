import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClickHouse } from '../../../infra/local/clickhouse.ts';
import type { Part } from '../../../infra/local/part.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { openShipmentHistory, SHIPMENT_HISTORY_LIMITS, type OpenShipmentHistory }
  from '../../../services/adapters/clickhouse/shipment-history.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { recordJourneys, received } from '../../support/journeys.ts';
import { post, record, writePosts } from './history.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';

// An engine of its own: in databases of tests a right reaches every table, in `tracking` not.
const credentials = {
  admin: 'admin', ingest: 'ingest', analyst: 'analyst', history: 'history', backup: 'backup',
  pictures: 'pictures',
};
const OF_N1 = { tracking_number: 'N1', carrier: 'carrier-1' };
/** What the store answered is the cause of the fault that readers wait for. */
const answered = (code: unknown): object => ({ code: 'sink_unavailable', cause: { code } });
const DENIED = answered('497');
const ANALYST_ROWS = 5_000_000;
let dir: string;
let engine: Part;
let url: string;
let history: OpenShipmentHistory;
const stores = new Map<string, ClickHouse>();

const as = (user: keyof typeof credentials): ClickHouse => {
  const store = stores.get(user) ?? openClickHouse({
    ...CLICKHOUSE_LIMITS, url, user, password: credentials[user], database: 'tracking',
    ...(user === 'history' || user === 'pictures' ? { resultRowsMax: 10_000 } : {}),
  }, { signals: silentSignals });
  stores.set(user, store);
  return store;
};
// Views with a window: asked for without one, they would refuse for that.
const WINDOW = "(since = '2026-01-01 00:00:00', until = '2026-01-02 00:00:00')";
const WINDOWED = /^(v_ingest_\w+|v_provider_quality|in_ingest_alarm|ingest_periods_open|ingest_minutes)$/;
const OF_DAYS = /^v_(active_devices|cell_speeds)$/;
const SCOPED = new RegExp(
  '^(ingest_(ends|outcomes)|provider_days_(in|of))$',
);
const PLACES = new Map([
  ['v_fixes_in_box', 'south = 1.5, north = 1.5, west = 1.5, east = 1.5'],
  ['v_fixes_near', 'latitude = 1.5, longitude = 1.5, meters = 1.5'],
  ['v_transport_locations', 'transport = 7'],
  ...['v_odd_fixes', 'odd_steps', 'odd_posts', 'v_device_track', 'v_device_readings', 'device_posts'].map((name) => [name, "device = ''"] as const),
]);
const asked = (name: string): string => {
  if (name === 'ingest_periods_due') return `${name}(step = 'compute')`;
  if (name === 'zone_visits') return `${name}(planned = true)`;
  if (SCOPED.test(name)) return `${name}${WINDOW.replace(')', ", scope = 'all')")}`;
  if (name === 'v_fleet_at') return `${name}(at = '2026-01-01 00:00:00')`;
  if (OF_DAYS.test(name)) return `${name}(from_day = '2026-01-01', to_day = '2026-01-02')`;
  const place = PLACES.get(name);
  if (place !== undefined) return `${name}${WINDOW.replace(')', `, ${place})`)}`;
  return WINDOWED.test(name) ? `${name}${WINDOW}` : name;
};
const namesLike = async (pattern: string): Promise<readonly string[]> => (
  await as('admin').query(
    "SELECT name FROM system.tables WHERE database = 'tracking' AND name LIKE {pattern:String}",
    { pattern },
  )
).map(({ name }) => String(name));

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rastro-rights-'));
  const [port = 0] = await freePorts(1);
  engine = await startClickHouse({
    port, dir, credentials, databases: ['tracking'], analystRowsPerHourMax: ANALYST_ROWS, log() {},
  });
  url = `http://127.0.0.1:${port}`;
  await migrateDatabase({ url, user: 'admin', password: 'admin', database: 'tracking' });
  history = openShipmentHistory({
    ...SHIPMENT_HISTORY_LIMITS, url, user: 'history', password: 'history', database: 'tracking',
  });
});

afterAll(async () => {
  await Promise.all([history, ...stores.values()].map((store) => store.close()));
  await engine.stop();
  await rm(dir, { recursive: true, force: true });
});

describe('who may do what in ClickHouse', () => {
  it('lets the writer insert into every landing table, and read nothing but its alarm', async () => {
    const recordId = { topic_id: 'topic-1', partition: 0, offset: 1 };
    await writeLines(as('ingest'), 'in_notifications', [notificationRecord('N1', {
      recordId, text: '{"code":"0114","payload":{"comment":"SECRET"}}', image: undefined,
      received_at_ms: Date.now(),
    })]);
    const recorded = recordJourneys([received(1, 'EX-HUB', 1, { tracking_number: 'N1' })]).events;
    await writeLines(as('ingest'), 'in_journeys', recorded.map((each) => journeyRecord(each, 1)));
    const nowMs = Date.now();
    const fix = { timestamp: Math.floor(nowMs / 1000), latitude: 1, longitude: 2 };
    const event = { name: 'stop', start_date: '2026-01-01T00:00:00Z', end_date: '' };
    const old = { ...fix, timestamp: fix.timestamp - 500 * 86_400 };
    expect(await writePosts(as('ingest'), [
      post([fix, old]),
      record('rtt.telemetry-events.v1', 'd', { post_timestamp: 0, events: [event] }),
      record('rtt.deferred-events.v1', '7', { id: 'r', post_timestamp: 0, events: [event] }),
      record('delivery.locations.v1', 'acme|driver|x', {
        post_timestamp: 0, device: { external_id: 'x', external_type: 'driver' },
        traceables: [{ id: 'S', type: 'shipment' }], locations: [fix],
      }),
    ])).toEqual([]);
    for (const table of Object.values(TABLE_WRITER_LIMITS.tables)) {
      expect(await as('ingest').insert(table, [], 'nothing')).toEqual({ kind: 'stored' });
    }
    expect(await as('ingest').query(`SELECT * FROM ${asked('in_ingest_alarm')}`))
      .toEqual([{ unexplained_items: '0', unread_records: '0' }]);
    await expect(as('ingest').query(`SELECT * FROM ${asked('v_ingest_outcomes')}`))
      .rejects.toMatchObject(DENIED);
    for (const name of ['notification_bodies', 'shipment_journeys', 'v_notifications']) {
      await expect(as('ingest').query(`SELECT * FROM ${asked(name)}`), name).rejects.toMatchObject(DENIED);
      await expect(as('ingest').execute(`INSERT INTO ${name} SELECT * FROM ${name}`), name)
        .rejects.toMatchObject(DENIED);
    }
  });

  it('lets an analyst read every view', async () => {
    const views = await namesLike('v\\_%');
    expect(views.length).toBeGreaterThan(15);
    for (const view of views) {
      expect(await as('analyst').query(`SELECT count() AS n FROM ${asked(view)}`), view).toHaveLength(1);
    }
    expect(await as('analyst').query('SELECT tracking_number, code FROM v_notifications'))
      .toEqual([{ tracking_number: 'N1', code: '0114' }]);
  });

  it('lets an analyst read no table, so no text of a notification', async () => {
    const tables = (await namesLike('%')).filter((name) => !name.startsWith('v_'));
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      await expect(as('analyst').query(`SELECT * FROM ${asked(table)}`), table)
        .rejects.toMatchObject(DENIED);
    }
    await expect(as('analyst').query('SELECT body FROM notification_bodies'))
      .rejects.toMatchObject(DENIED);
  });

  it('lets the history be read by its own user, who sees nothing else and writes nothing', async () => {
    expect((await history.notifications(OF_N1, undefined, 10)).entries)
      .toMatchObject([{ text: '{"code":"0114","payload":{"comment":"SECRET"}}' }]);
    expect((await history.journey(OF_N1, undefined, 10)).entries).toMatchObject([{ code: 'EX-HUB' }]);
    expect(await as('history').query(`SELECT * FROM ${asked('v_ingest_outcomes')}`)).toEqual([]);
    const readable = [
      'notification_topics', 'notification_bodies', 'shipment_journeys', 'ingest_records',
      'v_ingest_outcomes', 'shipment_notifications', 'deferred_answers', 'deferred_events',
      'v_location_outliers', 'v_telemetry_event_outliers', 'v_delivery_outliers',
      'provider_day_states', 'v_provider_quality',
    ];
    for (const name of (await namesLike('%')).filter((each) => !readable.includes(each))) {
      await expect(as('history').query(`SELECT * FROM ${asked(name)}`), name).rejects.toMatchObject(DENIED);
    }
    await expect(as('history').insert('in_notifications', [Buffer.from('{"m":{}}')], 'x'))
      .rejects.toMatchObject(DENIED);
    await expect(as('history').execute('SYSTEM FLUSH LOGS')).rejects.toMatchObject(DENIED);
    await expect(as('history').query('SELECT 1 SETTINGS max_execution_time = 600'))
      .rejects.toMatchObject(answered('452'));
  });

  it('lets where fleets were be read by its own user, who sees nothing else', async () => {
    const readable = [
      'v_fleet_at', 'v_device_track', 'v_device_readings', 'v_odd_fixes', 'ingest_minutes', 'device_posts',
      'v_audits',
    ];
    for (const name of readable) {
      expect(await as('pictures').query(`SELECT * FROM ${asked(name)}`), name).toEqual([]);
    }
    for (const name of (await namesLike('%')).filter((each) => !readable.includes(each))) {
      await expect(as('pictures').query(`SELECT * FROM ${asked(name)}`), name).rejects.toMatchObject(DENIED);
    }
    await expect(as('pictures').insert('in_locations', [Buffer.from('{"m":{}}')], 'x'))
      .rejects.toMatchObject(DENIED);
    await expect(as('pictures').query('SELECT 1 SETTINGS max_threads = 16'))
      .rejects.toMatchObject(answered('452'));
  });

  it('refuses an analyst what writes, what is too heavy, and more than a share of each hour', async () => {
    const ask = (sql: string) => as('analyst').query(sql);
    for (const statement of [
      'INSERT INTO in_notifications (notification) VALUES (\'{}\')', 'DROP VIEW v_locations',
      'CREATE TABLE mine (a Int32) ENGINE = Memory', 'ALTER TABLE locations DELETE WHERE 1',
      'SYSTEM REFRESH VIEW device_days_refresh', 'SET readonly = 0',
    ]) {
      await expect(as('analyst').execute(statement), statement)
        .rejects.toMatchObject(answered(expect.stringMatching(/^(164|452|497)$/)));
    }
    const manyRows = answered('158');
    await expect(ask('SELECT sum(number) FROM numbers(3000000000)')).rejects.toMatchObject(manyRows);
    await expect(ask('SELECT number FROM numbers(1000001)')).rejects.toMatchObject(answered('396'));
    await expect(ask('SELECT 1 SETTINGS max_rows_to_read = 0')).rejects.toMatchObject(answered('452'));
    await expect(ask('SELECT 1 SETTINGS max_execution_time = 60')).rejects.toMatchObject(answered('452'));
    expect(await ask('SELECT 1 AS one SETTINGS max_execution_time = 5')).toEqual([{ one: 1 }]);
    const used = answered('201');
    await expect((async () => {
      for (let n = 0; n < 4; n += 1) await ask('SELECT sum(number) FROM numbers(2000000)');
    })()).rejects.toMatchObject(used);
    await expect(ask('SELECT count() FROM v_locations')).rejects.toMatchObject(used);
  });
});
