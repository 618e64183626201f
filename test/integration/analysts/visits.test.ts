import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { naiveVisits, type NaiveZone } from '../../support/naive-visits.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { seedOfRun } from '../clickhouse/random-order.ts';
import { refreshDays, refreshVisits, refreshZones } from './tracks.ts';
import { zoneRecords } from './zones.ts';

/** Devices, each with a track of its own that comes in an order of its own. */
const ORDERS = Number(process.env['RASTRO_VISIT_ORDERS'] ?? 500);
const CHECK_MS_MAX = 300_000;
const START = Date.parse('2026-03-10T22:00:00Z') / 1_000;
const DAY_S = 86_400;
const [LATITUDE, LONGITUDE] = [-23.5, -46.6];

const at = (x: number, y: number): [number, number] => [LONGITUDE + x / 1e3, LATITUDE + y / 1e3];
const square = (x: number, y: number, size: number): [number, number][] => (
  [at(x, y), at(x + size, y), at(x + size, y + size), at(x, y + size), at(x, y)]
);
const ZONES: readonly NaiveZone[] = [
  {
    zone_id: 'circle', version: 1, state: 'active', from: START - DAY_S,
    circle: { latitude: LATITUDE, longitude: LONGITUDE, radius_m: 400 },
  },
  {
    zone_id: 'ring', version: 1, state: 'active', from: START - DAY_S,
    polygons: [[square(-4, -4, 8), square(-1.5, -1.5, 3)]],
  },
  {
    zone_id: 'two', version: 1, state: 'active', from: START - DAY_S, to: START + 3 * DAY_S,
    polygons: [[square(1, 1, 2)], [square(-3, 1, 2)]],
  },
  {
    zone_id: 'moves', version: 1, state: 'active', from: START - DAY_S,
    polygons: [[square(0, -3, 3)]],
  },
  {
    zone_id: 'moves', version: 2, state: 'active', from: START + 1.3 * DAY_S,
    polygons: [[square(-3, -3, 3)]],
  },
  {
    zone_id: 'gone', version: 1, state: 'active', from: START - DAY_S,
    circle: { latitude: LATITUDE, longitude: LONGITUDE, radius_m: 250 },
  },
  {
    zone_id: 'gone', version: 2, state: 'removed', from: START + DAY_S,
    polygons: [[square(9, 9, 1)]],
  },
];

const seed = seedOfRun();
let state = seed;
/** A number below 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d_2b_79_f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

/** Walks about the zones, stays near their borders, is silent for hours or days. */
function track(): readonly NaiveFix[] {
  const fixes: NaiveFix[] = [];
  let [ts, x, y] = [START + Math.floor(random() * DAY_S), random() * 8 - 4, random() * 8 - 4];
  for (let n = 15 + Math.floor(random() * 20); n > 0; n -= 1) {
    const pace = random() < 0.5 ? 0.15 : 2.5;
    x = Math.max(-6, Math.min(6, x + (random() - 0.5) * pace));
    y = Math.max(-6, Math.min(6, y + (random() - 0.5) * pace));
    const [longitude = 0, latitude = 0] = at(x, y).map((value) => Math.round(value * 1e7) / 1e7);
    fixes.push({ ts, latitude, longitude });
    // Now and then two places in one second.
    if (random() < 0.08) continue;
    const pause = random();
    ts += Math.ceil(random() * (pause < 0.85 ? 90 : pause < 0.95 ? 5_000 : 1.5 * DAY_S));
  }
  return fixes;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items.map((item) => ({ item, lot: random() })).sort((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
}

let history: History;
const tracks = Array.from({ length: ORDERS }, track);
beforeAll(async () => {
  history = await createHistory();
  const posts = shuffled(tracks.flatMap((fixes, index) => {
    const mixed = shuffled([...fixes, ...fixes.slice(0, 5)]);
    return [mixed.slice(0, 12), mixed.slice(12, 20), mixed.slice(20)]
      .filter((part) => part.length > 0)
      .map((part) => post(part.map(({ ts, latitude, longitude }) => (
        { timestamp: ts, country_id: 'BR', latitude, longitude }
      )), { device: `d-${index}`, receivedAtMs: (START + 30 * DAY_S) * 1_000 }));
  }));
  const half = Math.floor(posts.length / 2);
  // Some zones are there before the fixes, some are drawn behind half of them, one is changed last.
  const steps = [
    zoneRecords(ZONES.slice(0, 2)), posts.slice(0, half), zoneRecords(ZONES.slice(2, 4)),
    [...posts.slice(half), ...posts.slice(0, 50)], zoneRecords(ZONES.slice(4)),
  ];
  for (const records of steps) {
    expect(await writePosts(history.ingest, records)).toEqual([]);
    await refreshDays(history.admin);
    await refreshVisits(history.admin);
  }
}, 900_000);
afterAll(() => history.drop());

const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
);

describe('visits', () => {
  it('are those of one walk over the sorted fixes, whatever the order of arrival', async () => {
    const rows = await history.analyst.query('SELECT * FROM v_visits');
    const expected = tracks.flatMap((fixes, index) => naiveVisits(fixes, ZONES).map((visit) => ({
      device_id: `d-${index}`, zone_id: visit.zone_id, enter_ts: text(visit.enter),
      leave_ts: text(visit.leave), dwell_s: visit.leave - visit.enter,
      silent_s: String(visit.silent_s), fixes: String(visit.fixes), is_open: visit.open,
    })));
    const lines = (of: readonly object[]) => of.map((row) => JSON.stringify(row)).sort();
    expect(expected.length).toBeGreaterThan(ORDERS);
    expect(new Set(expected.map(({ zone_id }) => zone_id)).size).toBe(5);
    expect(expected.some(({ silent_s }) => silent_s !== '0')).toBe(true);
    expect(lines(rows), `seed ${seed}`).toEqual(lines(expected));
  }, CHECK_MS_MAX);

  it('are summed up by zone and day', async () => {
    const rows = await history.analyst.query(
      'SELECT zone_id, name, sum(visits) AS visits, sum(dwell_s) AS dwell_s FROM v_dwell'
      + ' GROUP BY ALL ORDER BY zone_id',
    );
    const visits = Map.groupBy(
      tracks.flatMap((fixes) => naiveVisits(fixes, ZONES)), ({ zone_id }) => zone_id,
    );
    const sorted = [...visits].toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(rows).toEqual(sorted.map(([zone_id, of]) => ({
      zone_id, name: zone_id.toUpperCase(), visits: String(of.length),
      dwell_s: String(of.reduce((sum, { enter, leave }) => sum + leave - enter, 0)),
    })));
  }, CHECK_MS_MAX);

  it('of a device go with its positions when they are erased', async () => {
    const rows = () => history.admin.query(`
      SELECT table, count() AS rows FROM (
        SELECT 'visit_days' AS table FROM visit_days WHERE device_id = 'd-0'
        UNION ALL SELECT 'device_day_zones' FROM device_day_zones WHERE device_id = 'd-0')
      GROUP BY table ORDER BY table`);
    await refreshDays(history.admin);
    await refreshZones(history.admin);
    expect((await rows()).map(({ table }) => table)).toEqual(['device_day_zones', 'visit_days']);
    await createTrackEraser(history.admin).erase('d-0', [], (START + 30 * DAY_S) * 1_000);
    expect(await rows()).toEqual([]);
  }, CHECK_MS_MAX);
});
