import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { postsInAnyOrder, seedOfRun } from '../clickhouse/random-order.ts';
import { refreshDays, refreshProviderHours, refreshZones } from './tracks.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - 12) * DAY_S;
const DAYS = 5;
/** Of devices 0 to 5; the clocks of India are half an hour off, so an hour has two local ones. */
const PLACES = [[-23.55, -46.63], [19.08, 72.88], [52.52, 13.4]] as const;
const SPEEDS = [0, 40, 120];
let history: History;

interface Sent { readonly device: number; readonly at: number; readonly speed: number }
const moments = fc.sample(fc.record({
  device: fc.integer({ min: 0, max: 5 }), at: fc.integer({ min: 0, max: DAYS * DAY_S - 90 }),
  speed: fc.constantFrom(...SPEEDS), late: fc.constantFrom(5, 5, 2 * DAY_S),
}), { numRuns: 240, seed: SEED });
const sent: Sent[] = moments.flatMap(({ device, at, speed }) => (
  [0, 30, 31].map((second) => ({ device, at: FIRST + at + second, speed }))
));
const posts = moments.map(({ device, at, speed, late }, index) => {
  const [latitude, longitude] = PLACES[device % 3] ?? PLACES[0];
  const fixes = [0, 30, 31].map((second) => FIRST + at + second).map((timestamp) => ({
    timestamp, country_id: 'BR', latitude, longitude, telemetry: { timestamp, speed },
  }));
  return post(fixes, {
    device: `d-${device}`, offset: index + 1, receivedAtMs: (FIRST + at + late) * 1_000,
    headers: { provider: `p${device % 2}` },
  });
});

const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
);
const summed = (rows: readonly Sent[]) => ({
  devices: String(new Set(rows.map(({ device }) => device)).size),
  seconds: String(new Set(rows.map(({ device, at }) => `${device} ${at}`)).size),
  speed_max_kmh: Math.max(...rows.map(({ speed }) => speed)),
});
const expectedOf = (key: (row: Sent) => string, rows: readonly Sent[]) => (
  [...Map.groupBy(rows, (row) => `p${row.device % 2} ${key(row)}`)]
    .map(([of, own]) => ({ of, ...summed(own) })).toSorted((a, b) => (a.of < b.of ? -1 : 1))
);
const hours = () => history.analyst.query(`
  SELECT concat(provider, ' ', toString(hour)) AS of, devices, seconds, speed_max_kmh
  FROM v_provider_hours ORDER BY of`);
const hoursOfDay = (from: number, to: number) => history.analyst.query(`
  SELECT concat(provider, ' ', leftPad(toString(hour_of_day), 2, '0')) AS of, devices, seconds,
    speed_max_kmh
  FROM v_active_devices(from_day = '${text(from).slice(0, 10)}', to_day = '${text(to).slice(0, 10)}')
  ORDER BY of`);
const byHour = ({ at }: Sent): string => text(at - at % 3_600);
const byHourOfDay = ({ at }: Sent): string => text(at).slice(11, 13);

async function computed(): Promise<void> {
  await refreshDays(history.admin);
  await refreshZones(history.admin);
  await refreshProviderHours(history.admin);
}

beforeAll(async () => {
  history = await createHistory();
  for (const some of postsInAnyOrder(posts, SEED)) {
    expect(await writePosts(history.ingest, some)).toEqual([]);
    await computed();
  }
}, 300_000);
afterAll(async () => { await history.drop(); });

describe(`hours of providers (seed ${SEED})`, { timeout: 120_000 }, () => {
  it('are those of the fixes, whatever comes late, again and in no order', async () => {
    expect(await hours()).toEqual(expectedOf(byHour, sent));
  });

  it('count a device once in all days that are asked for', async () => {
    const [from, to] = [FIRST + DAY_S, FIRST + 3 * DAY_S];
    const inside = sent.filter(({ at }) => at >= from && at < to + DAY_S);
    expect(await hoursOfDay(from, to)).toEqual(expectedOf(byHourOfDay, inside));
    expect(inside.length).toBeLessThan(sent.length);
  });

  it('lose a device that is erased', async () => {
    await createTrackEraser(history.admin).erase('d-3', [], Date.now());
    await computed();
    expect(await hours()).toEqual(expectedOf(byHour, sent.filter(({ device }) => device !== 3)));
  });

  it('stay when all they were computed of is gone', async () => {
    const before = await hours();
    for (const table of [
      'locations', 'device_minutes', 'device_days', 'device_day_zones', 'provider_hour_marks',
    ]) {
      await history.admin.execute(`TRUNCATE TABLE ${table}`);
    }
    await history.admin.execute(`INSERT INTO provider_hour_marks (day, marked_at)
      SELECT arrayJoin([today() - 398, today() - 399]), now64(3, 'UTC')`);
    // Devices of a day that old are about to go: what was summed up of them stays.
    expect(await history.admin.query(
      'SELECT today() - day AS days FROM provider_hours_due WHERE day < today() - 300',
    )).toEqual([{ days: 398 }]);
    await refreshProviderHours(history.admin, 398);
    expect(await history.admin.query(
      'SELECT max(day) < today() - 300 AS is_old FROM provider_hour_marks',
    )).toEqual([{ is_old: 1 }]);
    expect(await hours()).toEqual(before);
    expect(before.length).toBeGreaterThan(50);
  });
});
