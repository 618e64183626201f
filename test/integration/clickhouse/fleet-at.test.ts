import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { createHistory, post, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const DAYS = 4;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - DAYS - 1) * DAY_S;
const ERASED_MS = (FIRST + 2 * DAY_S) * 1_000;
const ALL_ERASED_MS = (FIRST + 20 * DAY_S) * 1_000;
let history: History;

/** Fixes of few minutes, some in one second, so that frames have to choose. */
const fixes = fc.record({
  at: fc.integer({ min: FIRST, max: FIRST + DAYS * DAY_S - 1 }),
  seconds: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 5 }),
  north: fc.integer({ min: -3, max: 3 }),
}).map(({ at, seconds, north }) => seconds.map((second) => (
  { at: at + second, latitude: -23.5 + north / 100, longitude: -46.6 - second % 3 / 100 }
)));

/** 400 posts of 12 devices; a third comes up to three days late, and some fixes come twice. */
function randomPosts(): readonly LogRecord[] {
  const drawn = fc.sample(fc.record({
    device: fc.integer({ min: 1, max: 12 }), fixes, late: fc.constantFrom(0, 0, 20, 3 * DAY_S),
  }), { numRuns: 400, seed: SEED });
  return drawn.map(({ device, fixes: own, late }, index) => {
    const earlier = drawn[index - 7];
    const again = earlier?.device === device ? earlier.fixes : [];
    const zero = index % 20 === 0 ? [{ at: FIRST + 800 * index, latitude: 0, longitude: 0 }] : [];
    const all = [...own, ...again, ...zero];
    return post(all.map(({ at, latitude, longitude }) => (
      { timestamp: at, country_id: 'br', latitude, longitude, telemetry: { speed: at % 90 } }
    )), {
      device: `device-${device}`, offset: index + 1,
      receivedAtMs: (Math.max(...all.map(({ at }) => at)) + late) * 1_000,
      headers: { provider: `p${device % 3}`, client: `10000000000000${device % 2}` },
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

/** The last fix of each device in the day until the end of the minute, by the view and by SQL. */
async function expectEqual(at: number): Promise<number> {
  const seen = await history.analyst.query(`
    SELECT device_id, ts, latitude, longitude, country_id, country_code, provider, client_id
    FROM v_fleet_at(at = {at:DateTime('UTC')}) ORDER BY device_id`, { at });
  const until = Math.floor(at / 60) * 60 + 60;
  expect(seen, new Date(at * 1_000).toISOString()).toEqual(await history.analyst.query(`
    SELECT device_id, last.1 AS ts, last.2 AS latitude, last.3 AS longitude, last.4 AS country_id,
           last.5 AS country_code, last.6 AS provider, last.7 AS client_id
    FROM (SELECT device_id, max((ts, latitude, longitude, country_id, country_code, provider,
                                 client_id)) AS last
          FROM v_locations
          WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
            AND (latitude != 0 OR longitude != 0)
          GROUP BY device_id)
    ORDER BY device_id`, { since: until - DAY_S, until }));
  return seen.length;
}

const moments = fc.integer({ min: FIRST - 60, max: FIRST + (DAYS + 1) * DAY_S });
/** Ends of days, hours and tens of minutes, a second before, at and after them. */
const EDGES = [DAY_S, 2 * DAY_S, DAY_S + 3_600, DAY_S + 7_800, 2 * DAY_S + 36_060]
  .flatMap((edge) => [FIRST + edge - 1, FIRST + edge, FIRST + edge + 1, FIRST + edge + 59]);

async function expectEqualAlways(): Promise<void> {
  let devices = 0;
  for (const at of [...EDGES, ...fc.sample(moments, { numRuns: 40, seed: SEED })]) {
    devices += await expectEqual(at);
  }
  expect(devices).toBeGreaterThan(100);
}

describe(`the fleet at a minute (seed ${SEED})`, () => {
  it('is that of v_locations, whatever comes late, again and in no order', async () => {
    await expectEqualAlways();
  }, 120_000);

  it('is the same when parts are merged', async () => {
    await history.admin.execute('OPTIMIZE TABLE device_minutes FINAL');
    await expectEqualAlways();
  }, 120_000);

  it('shows a device for a day after its last fix, to the second', async () => {
    const last = FIRST + DAY_S + 600 + 60 - 30;
    const silent = post([{ timestamp: last, country_id: 'BR', latitude: 1, longitude: 2 }], {
      device: 'silent', receivedAtMs: last * 1_000,
    });
    expect(await writePosts(history.ingest, [silent])).toEqual([]);
    const seenAt = async (at: number) => (await history.analyst.query(
      'SELECT ts FROM v_fleet_at(at = {at:DateTime(\'UTC\')}) WHERE device_id = \'silent\'', { at },
    )).length;
    expect(await seenAt(last - 60)).toBe(0);
    expect(await seenAt(last - 30)).toBe(1);
    expect(await seenAt(last + DAY_S - 60)).toBe(1);
    expect(await seenAt(last + DAY_S)).toBe(0);
  });

  it('has late fixes at once, and nothing of what was erased', async () => {
    const at = FIRST + 2 * DAY_S - 3_600;
    // A device of its own: the drawn ones may have a fix later in the same minute.
    const fixAt = (timestamp: number, latitude: number, receivedAt: number) => post(
      [{ timestamp, country_id: 'BR', latitude, longitude: 2 }],
      { device: 'late', receivedAtMs: receivedAt * 1_000, offset: 1_000 + latitude },
    );
    const latitude = async () => (await history.analyst.query(`
      SELECT latitude FROM v_fleet_at(at = {at:DateTime('UTC')}) WHERE device_id = 'late'`, { at }));
    expect(await writePosts(history.ingest, [fixAt(at - 3_600, 1, at - 3_600)])).toEqual([]);
    expect(await latitude()).toEqual([{ latitude: 1 }]);
    expect(await writePosts(history.ingest, [fixAt(at, 2, at + 3 * DAY_S)])).toEqual([]);
    expect(await latitude()).toEqual([{ latitude: 2 }]);
    await createTrackEraser(history.admin).erase('device-2', [], ERASED_MS);
    await createTrackEraser(history.admin).erase('device-3', [], ALL_ERASED_MS);
    await expectEqualAlways();
    const [left] = await history.admin.query(
      'SELECT count() AS rows FROM device_minutes WHERE device_id = \'device-3\'',
    );
    expect(left).toEqual({ rows: '0' });
  }, 120_000);

  it('reads of a day the frames of its time alone', async () => {
    const plan = (await history.admin.query(
      'EXPLAIN indexes = 1 SELECT count() FROM v_fleet_at(at = {at:DateTime(\'UTC\')})',
      { at: FIRST + DAY_S + 5_000 },
    )).map(({ explain }) => String(explain)).join('\n');
    expect(plan).toMatch(/Keys:\s+frame_minutes\s+toDate\(minute\)\s+frame_at/);
  });
});
