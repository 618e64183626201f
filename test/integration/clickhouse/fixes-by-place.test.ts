import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { createHistory, post, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const DAYS = 4;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - DAYS - 1) * DAY_S;
/** A city, a border of cells, the 180th meridian, and two poles. */
const SPOTS = [[-23.55, -46.63], [0.02, 0.02], [-16.8, 179.99], [-16.8, -179.99], [89.995, 40],
  [-89.99, -120]] as const;
/** Seeds of the random boxes and circles. */
const SAMPLES = { numRuns: 40, seed: SEED };
let history: History;

interface Place { readonly at: number; readonly latitude: number; readonly longitude: number }

const places: fc.Arbitrary<Place> = fc.record({
  at: fc.integer({ min: FIRST, max: FIRST + DAYS * DAY_S - 1 }),
  spot: fc.constantFrom(...SPOTS), north: fc.integer({ min: -500, max: 500 }),
  east: fc.integer({ min: -500, max: 500 }),
}).map(({ at, spot: [latitude, longitude], north, east }) => ({
  at, latitude: Math.max(-90, Math.min(90, latitude + north / 1e4)),
  longitude: (longitude + east / 1e4 + 540) % 360 - 180,
}));

/** 240 posts of 12 devices; a third comes up to three days late, and some fixes come twice. */
function randomPosts(): readonly LogRecord[] {
  const drawn = fc.sample(fc.record({
    device: fc.integer({ min: 1, max: 12 }),
    fixes: fc.array(places, { minLength: 1, maxLength: 8 }),
    late: fc.constantFrom(0, 0, 20, 3 * DAY_S),
  }), { numRuns: 240, seed: SEED });
  return drawn.map(({ device, fixes, late }, index) => {
    const earlier = drawn[index - 7];
    const again = earlier?.device === device ? earlier.fixes : [];
    const zero = index % 30 === 0 ? [{ at: FIRST + index, latitude: 0, longitude: 0 }] : [];
    const all = [...fixes, ...again, ...zero];
    return post(all.map(({ at, latitude, longitude }) => (
      { timestamp: at, country_id: 'BR', latitude, longitude, telemetry: { speed: at % 90 } }
    )), {
      device: `device-${device}`, offset: index + 1,
      receivedAtMs: (Math.max(...all.map(({ at }) => at)) + late) * 1_000,
      headers: { provider: `p${device % 3}` },
    });
  });
}

beforeAll(async () => {
  history = await createHistory();
  for (const posts of postsInAnyOrder(randomPosts(), SEED)) {
    expect(await writePosts(history.ingest, posts)).toEqual([]);
  }
}, 300_000);
afterAll(async () => { await history.drop(); });

const COLUMNS = 'device_id, ts, latitude, longitude';
const rows = async (sql: string, parameters = {}): Promise<readonly unknown[]> => (
  history.analyst.query(sql, parameters)
);
const times = (span: Span): object => ({ since: span.since, until: span.until });
interface Span { readonly since: number; readonly until: number }
const spans: fc.Arbitrary<Span> = fc.record({
  since: fc.integer({ min: FIRST - DAY_S, max: FIRST + DAYS * DAY_S }),
  length: fc.constantFrom(60, 3_600, 7_200, DAY_S, DAYS * DAY_S),
}).map(({ since, length }) => ({ since, until: since + length }));
const IN_TIME = 'ts >= {since:DateTime(\'UTC\')} AND ts < {until:DateTime(\'UTC\')}'
  + ' AND (latitude != 0 OR longitude != 0)';
const found = { boxes: 0, circles: 0 };

describe(`the order by place (seed ${SEED})`, () => {
  it('finds in random boxes what v_locations has', async () => {
    const boxes = fc.sample(fc.tuple(places, places, spans), SAMPLES);
    for (const [one, other, span] of boxes) {
      const box = {
        south: Math.min(one.latitude, other.latitude),
        north: Math.max(one.latitude, other.latitude),
        west: one.longitude, east: other.longitude, ...times(span),
      };
      const seen = await rows(`
        SELECT ${COLUMNS} FROM v_fixes_in_box(
          since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')}, south = {south:Float64},
          north = {north:Float64}, west = {west:Float64}, east = {east:Float64})
        ORDER BY ALL`, box);
      expect(seen, JSON.stringify(box)).toEqual(await rows(`
        SELECT DISTINCT ${COLUMNS} FROM v_locations
        WHERE ${IN_TIME} AND latitude BETWEEN {south:Float64} AND {north:Float64}
          AND if({west:Float64} <= {east:Float64},
                 longitude BETWEEN {west:Float64} AND {east:Float64},
                 longitude >= {west:Float64} OR longitude <= {east:Float64})
        ORDER BY ALL`, box));
      found.boxes += seen.length;
    }
    expect(found.boxes).toBeGreaterThan(100);
  }, 300_000);

  it('finds near random points what v_locations has, at a pole and at 180 degrees too', async () => {
    const meters = fc.constantFrom(0, 50, 2_000, 90_000);
    const whole = { since: FIRST, until: FIRST + DAYS * DAY_S };
    const circles = [
      ...SPOTS.map(([latitude, longitude]) => [{ latitude, longitude }, 90_000, whole] as const),
      ...fc.sample(fc.tuple(places, meters, spans), SAMPLES),
    ];
    for (const [{ latitude, longitude }, radius, span] of circles) {
      const circle = { latitude, longitude, meters: radius, ...times(span) };
      const seen = await rows(`
        SELECT ${COLUMNS}, distance_m FROM v_fixes_near(
          since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')},
          latitude = {latitude:Float64}, longitude = {longitude:Float64}, meters = {meters:Float64})
        ORDER BY ALL`, circle);
      expect(seen, JSON.stringify(circle)).toEqual(await rows(`
        SELECT DISTINCT ${COLUMNS}, toFloat64(greatCircleDistance(
                 longitude, latitude, {longitude:Float64}, {latitude:Float64})) AS distance_m
        FROM v_locations
        WHERE ${IN_TIME} AND distance_m <= {meters:Float64}
        ORDER BY ALL`, circle));
      found.circles += seen.length;
    }
    expect(found.circles).toBeGreaterThan(100);
  }, 300_000);

  it('reads of a day the cells of the box alone', async () => {
    const plan = (await history.admin.query(`
      EXPLAIN indexes = 1 SELECT count() FROM v_fixes_in_box(since = '2026-01-01 10:00:00',
        until = '2026-01-01 10:05:00', south = 1., north = 2., west = 1., east = 2.)`,
    )).map(({ explain }) => String(explain)).join('\n');
    expect(plan).toMatch(/Keys:\s+day\s+lat_cell\s+lon_cell/);
  });
});
