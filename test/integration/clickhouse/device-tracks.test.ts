import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createDeviceTracks } from '../../../services/adapters/clickhouse/device-tracks.ts';
import type { DeviceTracks } from '../../../services/kernel/device-tracks.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { deviceTracksSuite } from '../../support/device-tracks.suite.ts';
import type { SentTrackPost } from '../../support/fake-device-tracks.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, record, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const START = (Math.floor(Date.now() / 1_000 / DAY_S) - 20) * DAY_S;

/** Reads as gateways do. */
function openTracks(database: string): { tracks: DeviceTracks; close(): Promise<void> } {
  const env = stackEnv();
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_PICTURES_USER,
    password: env.CLICKHOUSE_PICTURES_PASSWORD, database, resultRowsMax: 10_001,
  }, { signals: silentSignals });
  return { tracks: createDeviceTracks(store), close: () => store.close() };
}

/** The same in one order, whatever the order of their members. */
const sorted = (items: readonly object[]): readonly string[] => (
  items.map((item) => JSON.stringify(Object.entries(item).toSorted())).toSorted());

function recordOf({ device, client, receivedAtMs, fixes }: SentTrackPost, offset?: number) {
  return post(fixes.map(({ telemetry, ...fix }) => ({
    country_id: 'BR', ...fix,
    ...telemetry === undefined ? {} : { telemetry: { timestamp: fix.timestamp, ...telemetry } },
  })), { device, receivedAtMs, headers: { client }, ...offset === undefined ? {} : { offset } });
}

describe('The ways of devices in ClickHouse', () => {
  deviceTracksSuite(async () => {
    const history = await createHistory();
    const { tracks, close } = openTracks(history.database);
    return {
      tracks,
      async send(posts) {
        expect(await writePosts(history.ingest, posts.map((each) => recordOf(each)))).toEqual([]);
      },
      async close() {
        await close();
        await history.drop();
      },
    };
  });

  it('are an outage where there is no store', async () => {
    await expect(createDeviceTracks(undefined).find({} as never))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});

describe(`A way of random posts (seed ${SEED})`, () => {
  /** Some come late, some again; several are of one second. */
  const posts = fc.sample(fc.record({
    device: fc.integer({ min: 1, max: 3 }), at: fc.integer({ min: 0, max: 2 * DAY_S }),
    late: fc.constantFrom(5, 90_000, 3 * DAY_S), speed: fc.option(fc.integer({ min: 0, max: 120 })),
    again: fc.boolean(),
  }), { numRuns: 200, seed: SEED }).flatMap(({ device, at, late, speed, again }, index) => {
    const sent = (offset: number, after: number) => recordOf({
      device: `device-${device}`, client: '100000000000001',
      receivedAtMs: (START + at + after) * 1_000,
      fixes: [0, 0, 30].map((second, n) => ({
        timestamp: START + at + second, latitude: -23 - at / 1e6 - n / 1e5, longitude: -46,
        ...speed === null ? {} : { telemetry: { speed, fuel_level: speed / 2 } },
      })),
    }, offset);
    return [sent(index + 1, late), ...again ? [sent(index + 1_000, late + 60)] : []];
  });
  let history: History;
  let opened: ReturnType<typeof openTracks>;
  beforeAll(async () => {
    history = await createHistory();
    opened = openTracks(history.database);
    for (const some of postsInAnyOrder(posts, SEED)) {
      expect(await writePosts(history.ingest, some)).toEqual([]);
    }
  });
  afterAll(async () => {
    await opened.close();
    await history.drop();
  });

  const OF_TIME = `device_id = {device:String} AND ts >= {since:DateTime('UTC')}
    AND ts < {until:DateTime('UTC')}`;
  const asked = (device: number, from: number, to: number) => (
    { device: `device-${device}`, since: START + from, until: START + to }
  );
  const WINDOWS = [
    ...[1, 2, 3].map((device) => asked(device, DAY_S / 2, DAY_S * 1.5)),
    asked(1, DAY_S, DAY_S + 7_207),
  ];
  const trackOf = ({ device, since, until }: ReturnType<typeof asked>, limit: number) => (
    opened.tracks.find({
      deviceId: device, clientId: undefined, sinceSeconds: since, untilSeconds: until, limit,
    }));
  const fixesOf = (question: ReturnType<typeof asked>) => history.analyst.query(`
    SELECT toUnixTimestamp(ts) AS at, latitude, speed, provider, flags,
           toUnixTimestamp64Milli(received_at) AS received
    FROM v_locations WHERE ${OF_TIME} ORDER BY at, latitude, received, speed`, question);
  const rowsOf = ({ fixes }: Awaited<ReturnType<typeof trackOf>>) => fixes.items.map((each) => ({
    at: each.timestamp, latitude: each.latitude, speed: each.speed ?? null,
    provider: each.provider, flags: each.flags, received: String(each.received_at_ms),
  }));

  it('is what SQL over v_locations and v_telemetry has of it', async () => {
    let found = 0;
    for (const question of WINDOWS) {
      const fixes = await fixesOf(question);
      const levels = await history.analyst.query(`
        SELECT toUnixTimestamp64Milli(ts) AS at, fuel_level FROM v_telemetry
        WHERE ${OF_TIME} AND fuel_level IS NOT NULL ORDER BY at, fuel_level`, question);
      const track = await trackOf(question, 5_000);
      expect([track.fixes.total, track.fixes.every]).toEqual([fixes.length, 1]);
      expect(rowsOf(track)).toEqual(fixes);
      expect(track.readings).toEqual({
        total: levels.length, every: 1,
        items: levels.map((row) => ({ at_ms: Number(row['at']), fuel_level: row['fuel_level'] })),
      });
      found += fixes.length;
    }
    expect(found).toBeGreaterThan(100);
  });

  it('is thinned as it says: each n-th of them, and both ends of gaps', async () => {
    for (const question of WINDOWS) {
      const fixes = await fixesOf(question);
      const isGap = (n: number): boolean => (
        n > 0 && n < fixes.length && Number(fixes[n]?.['at']) - Number(fixes[n - 1]?.['at']) > 900);
      const track = await trackOf(question, 20);
      const { every } = track.fixes;
      expect(track.fixes.total).toBe(fixes.length);
      expect(every).toBe(Math.max(1, Math.ceil(fixes.length / 20)));
      expect(rowsOf(track)).toEqual(fixes.filter((_, n) => (
        (fixes.length - 1 - n) % every === 0 || isGap(n) || isGap(n + 1))));
    }
  });

  it('has of each call what v_ingest_outcomes has: events, dead letters and waiting ones too', async () => {
    const receivedAtMs = (START + DAY_S) * 1_000;
    const facts = (offset: number) => ({ receivedAtMs, offset, headers: { n: '2' } });
    await writePosts(history.ingest, [
      record('rtt.telemetry-events.v1', 'device-1', {
        device_id: 'device-1', post_timestamp: START,
        events: [1, 2].map((second) => ({
          name: 'harsh_braking', start_date: new Date(receivedAtMs - second * 1_000).toISOString(),
          end_date: new Date(receivedAtMs).toISOString(), latitude: -23.5, longitude: -46.6,
        })),
      }, facts(5_000)),
      // Of both nothing is written, and one is a dead letter.
      record('rtt.locations.v1', 'device-1', { locations: 'none' }, facts(5_001)),
      record('rtt.locations.v1', 'device-1', { locations: 'none' }, facts(5_002)),
    ]);
    await history.ingest.insert('in_dead_letters', [Buffer.from(JSON.stringify({
      m: { kp: 0, ko: 1 }, worker: 'table-writer', stage: 'consume', code: 'invalid_json',
      origin: {
        topic: 'rtt.locations.v1', topic_id: 'rtt.locations.v1', partition: 3, offset: '5001',
      },
      detail: 'x', headers: { 'received-at': String(receivedAtMs) }, at_ms: receivedAtMs,
    }))], 'one-letter');
    const question = asked(1, DAY_S / 2, DAY_S * 1.5);
    const outcomes = await history.admin.query(`
      SELECT kind, toUnixTimestamp64Milli(received_at) AS received_at_ms, items, stored, duplicate,
             outlier, dead_lettered, waiting, code
      FROM v_ingest_outcomes(since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
      WHERE (topic_id, k_partition, k_offset) IN (
        SELECT topic_id, k_partition, k_offset FROM ingest_records WHERE key = {device:String})
      ORDER BY ALL`, question);
    const items = (await trackOf(question, 5_000)).posts?.items ?? [];
    expect(sorted(items.map(({ ingest_id: _id, provider: _provider, ...post }) => post)))
      .toEqual(sorted(outcomes.map(({ kind, code, ...numbers }) => ({
        kind, code, ...Object.fromEntries(
          Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
      }))));
    const at = items.filter(({ received_at_ms: ms }) => ms === receivedAtMs);
    expect(sorted(at.map(({ kind, stored, dead_lettered: dead, waiting, code }) => (
      { kind, stored, dead, waiting, code })))).toEqual(sorted([
      { kind: 'telemetry_events', stored: 2, dead: 0, waiting: 0, code: '' },
      { kind: 'locations', stored: 0, dead: 2, waiting: 0, code: 'invalid_json' },
      { kind: 'locations', stored: 0, dead: 0, waiting: 2, code: '' },
    ]));
    expect(items.some(({ duplicate }) => duplicate > 0)).toBe(true);
  });

  it('reads a little of the ledger for the calls about one device', async () => {
    await history.admin.execute(`INSERT INTO ingest_records
      SELECT reverse(reinterpretAsFixedString(toUInt128(number))), 'rtt.locations.v1', 'other', 3,
             number, 'locations', concat('other-', toString(number % 50000)), 'c', 'acme', 1,
             fromUnixTimestamp({at:UInt32}), fromUnixTimestamp({at:UInt32}), ''
      FROM numbers(200000)`, { at: START + 60 });
    const ask = (more: string) => history.admin.query(`
      SELECT count() AS count FROM device_posts(device = {device:String},
        since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
      SETTINGS max_rows_to_read = 50000, use_skip_indexes = ${more}`,
    { ...asked(1, 0, DAY_S), device: 'other-7' });
    expect(await ask('1')).toEqual([{ count: '4' }]);
    await expect(ask('0')).rejects.toThrow('TOO_MANY_ROWS');
  });

  it('reads the range of its device in its days, and not those of all', async () => {
    const rows = await history.admin.query(`
      EXPLAIN indexes = 1 SELECT * FROM v_device_track(device = {device:String},
        since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})`, asked(1, 0, DAY_S));
    const plan = rows.map((row) => String(row['explain'])).join('\n');
    expect(plan).toMatch(/PrimaryKey\s+Keys:\s+toDate\(ts\)\s+device_id/);
  });
});
