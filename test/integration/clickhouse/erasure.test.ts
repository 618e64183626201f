import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDriverEraser } from '../../../services/adapters/clickhouse/driver-eraser.ts';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { createTableUpkeep } from '../../../services/adapters/clickhouse/table-upkeep.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { writeLog } from '../../../services/workers/table-writer/write-log.ts';
import { fakeLogReader } from '../../support/fake-log-reader.ts';
import { createHistory, post, record, writePosts, type History } from './history.ts';

const NOW_MS = Math.floor(Date.now() / 1000) * 1000 - 60_000;
const NOW = NOW_MS / 1000;
const ERASED_MS = NOW_MS - 1_000;
const CANARY = 'Ana Souza 4711';
const at = { receivedAtMs: NOW_MS - 2_000 };
const later = { receivedAtMs: NOW_MS };
let erased: History;
let never: History;

beforeAll(async () => { [erased, never] = await Promise.all([createHistory(), createHistory()]); });
afterAll(async () => { await Promise.all([erased.drop(), never.drop()]); });

const fix = (secondsAgo: number, over: object = {}) => ({
  timestamp: NOW - secondsAgo, country_id: 'AR', latitude: -23.5 - secondsAgo / 1e4,
  longitude: -46.6, metadata: [{ name: 'driver', value: CANARY }],
  telemetry: {
    timestamp: NOW - secondsAgo, ignition: true, speed: 50, odometer: 1000 - secondsAgo,
  },
  ...over,
});

const event = (device: string, offset: number) => record('rtt.telemetry-events.v1', device, {
  device_id: device, post_timestamp: NOW,
  events: [{
    name: 'harsh_braking', start_date: new Date(NOW_MS - 9_000).toISOString(),
    end_date: new Date(NOW_MS - 8_000).toISOString(), latitude: -23.5, longitude: -46.6,
    metadata: [{ name: 'driver', value: CANARY }],
  }],
}, { ...at, offset });

const deadLetter = (device: string, offset: number) => record('dead-letters.v1', device, {
  origin: {
    topic: 'rtt.locations.v1', topic_id: 't', partition: 3, offset,
    key: Buffer.from(device).toString('base64'),
  },
  worker: 'table-writer', stage: 'insert', code: 'sink_rejected', detail: 'x',
  headers: { 'received-at': String(at.receivedAtMs), n: '1' },
  value: Buffer.from(CANARY).toString('base64'), code_version: '1', at_ms: NOW_MS,
}, { offset });

const answer = (transport: number, offset: number, over: object = at) => (
  record('rtt.deferred-events.v1', String(transport), {
    id: `request-${offset}`, route_distance: 1, transport_id: transport, post_timestamp: NOW,
    events: [{
      name: 'harsh_braking', start_date: new Date(NOW_MS - 9_000).toISOString(),
      end_date: new Date(NOW_MS - 8_000).toISOString(), latitude: -23.5, longitude: -46.6,
      metadata: transport === 77 && over === at ? [{ name: 'driver', value: `gone ${CANARY}` }] : [],
    }],
  }, { ...over, offset, headers: { transport: String(transport) } })
);
const answers = [answer(78, 401), answer(77, 402, later)];

/** Before the erasure, of a device: near and far in time, outliers, events and dead letters. */
const before = (device: string, from: number): readonly LogRecord[] => [
  post([fix(10), fix(11), fix(70)], { device, ...at, offset: from }),
  post([fix(86_400 * 3), fix(86_400 * 3 + 1, { latitude: 0, longitude: 0 })],
    { device, ...at, offset: from + 1 }),
  post([fix(86_400 * 500)], { device, ...at, offset: from + 2 }),
  event(device, from + 3), deadLetter(device, from + 4),
];

/** After it: also a fix of the minute of earlier ones, and one from before them. */
const after = (device: string, from: number): readonly LogRecord[] => [
  post([fix(2, { metadata: [] }), fix(12, { metadata: [] })], { device, ...later, offset: from }),
  post([fix(86_400 * 2, { metadata: [] })], { device, ...later, offset: from + 1 }),
];

/** Partitions of all tables with their hashes, but for those of what was read and stored when. */
const rowsOf = async ({ admin, database }: History) => (
  await createTableUpkeep(admin, database).partitions()
).filter(({ table }) => table !== 'ingest_records' && table !== 'ingest_stored');

const gone = { external_type: 'acme_driver', external_id: `driver ${CANARY}` };
const stays = { external_type: 'acme_driver', external_id: 'driver-8' };
const DRIVER = { client_id: '100000000000001', provider: 'acme', ...gone };
const [p, q] = ['p', 'q'].map((id) => ({ type: 'shipment', id }));
const deliveries = (
  driver: { external_id: string }, offset: number, locations: readonly object[], over: object = at,
) => record('delivery.locations.v1', `acme|acme_driver|${driver.external_id}`, {
  post_timestamp: NOW, traceables: [p], locations,
}, { ...over, offset });
/** Of the erased driver alone, of both in one post, and older than what the tables keep. */
const beforeDriver = [
  deliveries(gone, 300, [fix(10, { device: gone }), fix(86_400 * 2, { device: gone })]),
  deliveries(stays, 301, [fix(50, { device: stays }), fix(9, { device: gone })]),
  deliveries(gone, 302, [fix(86_400 * 500, { device: gone })]),
];
/** What is left of the post of both. */
const ofOthers = [
  deliveries(stays, 301, [fix(50, { device: stays })]),
  record('delivery.locations.v1', 'acme|acme_driver|driver-8', {
    post_timestamp: NOW, traceables: [q], locations: [fix(20, { device: stays })],
  }, { ...at, offset: 303 }),
];
const afterDriver = deliveries(gone, 304, [fix(70, { device: gone, metadata: [] })], later);

describe('the erasure of a driver in ClickHouse', () => {
  it('[GEN-63] leaves the tables as if nothing about the driver had come until then', async () => {
    const [all, others] = await Promise.all([createHistory(), createHistory()]);
    try {
      await writePosts(all.ingest, [...beforeDriver, ...ofOthers.slice(1), afterDriver]);
      await writePosts(others.ingest, [...ofOthers, afterDriver]);
      const eraser = createDriverEraser(all.admin);
      expect(await eraser.traceablesOf(DRIVER)).toEqual([p]);
      expect(await eraser.driversOf(DRIVER.client_id, 'acme')).toHaveLength(2);
      expect(await eraser.erase(DRIVER, ERASED_MS)).toBe(4);
      expect(await eraser.erase(DRIVER, ERASED_MS)).toBe(0);
      expect(await rowsOf(all)).toEqual(await rowsOf(others));
      const last = 'SELECT * FROM v_traceable_last ORDER BY traceable_id';
      expect(await all.analyst.query(last)).toEqual(await others.analyst.query(last));
      const keys = await all.admin.query(
        'SELECT k_offset, kind, key FROM ingest_records FINAL ORDER BY k_offset',
      );
      expect(keys.map(({ kind, key }) => [kind, key])).toEqual([
        ['erased', ''], ['erased', ''], ['erased', ''],
        ['delivery_locations', 'acme|acme_driver|driver-8'],
        ['delivery_locations', `acme|acme_driver|${gone.external_id}`],
      ]);
    } finally {
      await Promise.all([all.drop(), others.drop()]);
    }
  }, 120_000);
});

describe('the erasure of positions in ClickHouse', () => {
  it('[GEN-58] leaves the tables as if nothing had come from the device until then', async () => {
    const other = [...before('stays', 100), ...after('stays', 110)];
    await writePosts(erased.ingest, [
      ...before('gone', 10), ...after('gone', 20), ...other, answer(77, 400), ...answers,
    ]);
    await writePosts(never.ingest, [...after('gone', 20), ...other, ...answers]);
    const eraser = createTrackEraser(erased.admin);
    expect(await eraser.erase('gone', ['77'], ERASED_MS)).toBe(14);
    expect(await eraser.erase('gone', ['77'], ERASED_MS)).toBe(0);

    expect(await rowsOf(erased)).toEqual(await rowsOf(never));
    for (const view of ['v_device_last', 'v_device_minutes', 'v_locations', 'v_telemetry']) {
      const sql = `SELECT * FROM ${view} ORDER BY ALL`;
      expect(await erased.analyst.query(sql), view).toEqual(await never.analyst.query(sql));
    }
    // What the other device sent holds the canary: all rows with it are of that device.
    const tables = await erased.admin.query(
      `SELECT name FROM system.tables WHERE database = {database:String}
       AND engine LIKE '%MergeTree'`, { database: erased.database },
    );
    for (const { name } of tables) {
      const rows = await erased.admin.query(`SELECT * FROM ${String(name)}`);
      const withCanary = rows.map((row) => JSON.stringify(row))
        .filter((text) => text.includes(CANARY) || text.includes(btoa(CANARY)));
      expect(withCanary.filter((text) => text.includes('gone')), String(name)).toEqual([]);
    }
  }, 120_000);

  it('[GEN-58] holds through a rebuild, into these tables and into empty ones', async () => {
    const log = [
      record('personal.erased-tracks.v1', 'gone', {
        type: 'TrackErased', device_id: 'gone', client_id: 'c', transport_ids: ['77'],
        received_until_ms: ERASED_MS,
      }),
      ...before('gone', 10), ...after('gone', 20), ...before('stays', 100), ...after('stays', 110),
      answer(77, 400), ...answers,
    ];
    const empty = await createHistory();
    try {
      for (const { ingest, database } of [erased, empty]) {
        await writeLog(TABLE_WRITER_LIMITS, {
          reader: fakeLogReader(log), name: database, sink: ingest,
          signals: silentSignals, digest: sha256,
          clock: { nowMs: () => Date.now() },
        });
      }
      expect(await rowsOf(erased)).toEqual(await rowsOf(never));
      expect(await rowsOf(empty)).toEqual(await rowsOf(never));
      const read = await empty.admin.query(
        'SELECT kind, count() AS records FROM ingest_records WHERE key = \'gone\' GROUP BY kind',
      );
      expect(new Map(read.map(({ kind, records }) => [kind, records])))
        .toEqual(new Map([['erased', '5'], ['locations', '2']]));
    } finally {
      await empty.drop();
    }
  }, 120_000);

  it('[GEN-58] leaves no item unexplained, and no gap in what was read', async () => {
    const window = { since: new Date(NOW_MS - 60_000), until: new Date(NOW_MS + 60_000) };
    const [since, until] = [window.since, window.until]
      .map((each) => each.toISOString().slice(0, 23).replace('T', ' '));
    const asked = 'since = {since:DateTime64(3)}, until = {until:DateTime64(3)}';
    const balance = await erased.admin.query(
      `SELECT sum(accepted) AS accepted, sum(unexplained) AS unexplained
       FROM v_ingest_balance(${asked})`, { since, until },
    );
    expect(balance).toEqual([{ accepted: expect.stringMatching(/^[1-9]/), unexplained: '0' }]);
  });
});
