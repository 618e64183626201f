import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RowSink } from '../../../services/kernel/row-sink.ts';
import { createHistory, holdMerges, post, record, writePosts, type History } from './history.ts';

const DAY_S = 86_400;
const DAYS_KEPT = 400;
/** Midnight (UTC) before last: a day of receipt that is over. */
const MIDNIGHT = (Math.floor(Date.now() / 1_000 / DAY_S) - 1) * DAY_S;
const PARTS_MAX = 12;
let history: History;
let devices = 0;

beforeAll(async () => {
  history = await createHistory();
  const tables = await history.admin.query(`
    SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`);
  await holdMerges(history, tables.map(({ name }) => String(name)));
});
afterAll(async () => { await history.drop(); });
beforeEach(() => { devices += 1; });

const device = (): string => `device-${devices}`;
const fix = (timestamp: number, over: object = {}) => ({
  timestamp, country_id: 'AR', latitude: -23.5 - timestamp / 1e10, longitude: -46.6,
  telemetry: { timestamp, speed: 5, odometer: 100 }, ...over,
});
const sent = (receivedS: number, fixes: readonly object[]) => (
  post(fixes, { device: device(), receivedAtMs: receivedS * 1_000 })
);

/** Posts of fixes of all days that are kept, and of the day ahead, received about one midnight. */
function scatteredPosts(): ReturnType<typeof post>[] {
  return [-3_600, -1, 0, 3_600].map((shift) => {
    const receivedS = MIDNIGHT + shift;
    const fixes = Array.from({ length: DAYS_KEPT }, (_, day) => (
      fix(receivedS + DAY_S - 10 - day * DAY_S)
    ));
    return sent(receivedS, fixes);
  });
}

/** The store, which notes how many parts each insert of rows made. */
function countingParts(parts: number[]): RowSink {
  const count = async (): Promise<number> => {
    const [row] = await history.admin.query(`
      SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase()`);
    return Number(row?.['parts']);
  };
  return {
    async insert(table, lines, token) {
      const before = await count();
      const answer = await history.ingest.insert(table, lines, token);
      if (table !== 'in_ingest_records') parts.push(await count() - before);
      return answer;
    },
  };
}

it('[LOC-29] makes no more than 12 parts per insert whatever the times in it', async () => {
  const parts: number[] = [];
  expect(await writePosts(countingParts(parts), scatteredPosts())).toEqual([]);
  const carried = {
    device: { external_id: 'driver-1', external_type: 'van' },
    traceables: [{ id: device(), type: 'shipment' }],
  };
  const deliveries = scatteredPosts().map(({ value, headers, timestampMs }) => {
    const { locations } = JSON.parse(Buffer.from(value).toString()) as { locations: object[] };
    return record('delivery.locations.v1', 'driver-1', {
      ...carried, post_timestamp: MIDNIGHT, locations,
    }, { receivedAtMs: timestampMs, headers });
  });
  expect(await writePosts(countingParts(parts), deliveries)).toEqual([]);
  expect(parts).toHaveLength(4);
  expect(Math.max(...parts)).toBeLessThanOrEqual(PARTS_MAX);
  const stored = await history.analyst.query(
    'SELECT count() AS fixes, uniqExact(toDate(ts)) AS days FROM v_locations'
    + ' WHERE device_id = {device:String}', { device: device() },
  );
  expect(stored).toEqual([{ fixes: String(4 * DAYS_KEPT), days: String(DAYS_KEPT + 1) }]);
  expect(await history.analyst.query(
    'SELECT count() AS fixes FROM v_delivery_locations WHERE traceable_id = {device:String}',
    { device: device() },
  )).toEqual([{ fixes: String(4 * DAYS_KEPT) }]);
});

it('[LOC-29] keeps one row of a fix that comes again days later, the first, in every window', async () => {
  const fixes = [fix(MIDNIGHT - 30 * DAY_S), fix(MIDNIGHT - 30 * DAY_S + 5, { speed: 7 })];
  const [first, again] = [MIDNIGHT - 30 * DAY_S + 60, MIDNIGHT + 60];
  await writePosts(history.ingest, [sent(first, fixes)]);
  await writePosts(history.ingest, [sent(again, [...fixes, fix(MIDNIGHT - 29 * DAY_S)])]);
  const seen = async (view: string, where = '1'): Promise<unknown> => history.analyst.query(
    `SELECT count() AS n FROM ${view} WHERE device_id = {device:String} AND ${where}`,
    { device: device() },
  );
  for (const view of ['v_locations', 'v_telemetry']) {
    expect(await seen(view)).toEqual([{ n: '3' }]);
    expect(await seen(view, `received_at < toDateTime(${again})`)).toEqual([{ n: '2' }]);
    expect(await seen(view, `received_at >= toDateTime(${again})`)).toEqual([{ n: '1' }]);
  }
  expect(await seen('v_device_minutes')).toEqual([{ n: '2' }]);
  const day = new Date((MIDNIGHT - 30 * DAY_S) * 1_000).toISOString().slice(0, 10);
  expect(await seen('v_locations', `toDate(ts) = '${day}'`)).toEqual([{ n: '2' }]);
});

it('reads of the late fixes and of other days only what a question asks for', async () => {
  await history.admin.execute(`
    INSERT INTO locations (device_id, ts, received_at) SELECT 'device-' || toString(number % 100),
      toDateTime(${MIDNIGHT} - ${DAY_S} * intDiv(number, 10000)), '2026-01-01 00:00:00'
    FROM numbers(100000)`);
  const rows = await history.admin.query(`
    EXPLAIN indexes = 1 SELECT speed FROM v_locations
    WHERE device_id = {device:String} AND ts >= toDateTime(${MIDNIGHT}) - ${DAY_S}
      AND ts < toDateTime(${MIDNIGHT})`, { device: device() });
  const plan = rows.map((row) => String(row['explain'])).join('\n');
  expect(plan).toMatch(/PrimaryKey\s+Keys:\s+toDate\(ts\)\s+device_id/);
  expect(plan).toMatch(/Min-Max\s+Keys:\s+ts/);
});
