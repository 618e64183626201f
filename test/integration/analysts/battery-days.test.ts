import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { postsInAnyOrder, seedOfRun } from '../clickhouse/random-order.ts';
import { refreshBatteries, refreshDays } from './tracks.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const FIRST = (Math.floor(Date.now() / 1_000 / DAY_S) - 12) * DAY_S;
let history: History;

/** Readings of some devices; the telemetry is a little later than the fix that carried it. */
const moments = fc.sample(fc.record({
  device: fc.integer({ min: 0, max: 4 }), at: fc.integer({ min: 1, max: 4 * DAY_S - 60 }),
  level: fc.option(fc.integer({ min: 0, max: 100 })), afterMs: fc.constantFrom(0, 20, 900),
  late: fc.constantFrom(5, 5, 2 * DAY_S), isZero: fc.constantFrom(false, false, false, true),
}), { numRuns: 240, seed: SEED });
const posts = moments.map(({ device, at, level, afterMs, late, isZero }, index) => post([{
  timestamp: FIRST + at, country_id: 'BR', latitude: isZero ? 0 : -23.5, longitude: isZero ? 0 : -46,
  telemetry: {
    timestamp: FIRST + at + afterMs / 1_000, speed: 5,
    ...level === null ? {} : { battery_level: level },
  },
}], { device: `d-${device}`, offset: index + 1, receivedAtMs: (FIRST + at + late) * 1_000 }));

const text = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
function expected(): readonly object[] {
  const readings = moments.filter(({ isZero }) => !isZero)
    .flatMap(({ device, at, level, afterMs }) => (
      level === null ? [] : [{ device, level, ms: (FIRST + at) * 1_000 + afterMs }]
    ));
  return [...Map.groupBy(readings, ({ device, ms }) => `d-${device} ${text(ms).slice(0, 10)}`)]
    .map(([of, own]) => {
      const different = new Map(own.map((reading) => [`${reading.ms} ${reading.level}`, reading]));
      const sorted = [...different.values()].sort((a, b) => a.ms - b.ms || a.level - b.level);
      const levels = sorted.map(({ level }) => level);
      return {
        of, readings: sorted.length, first_ts: text(sorted[0]?.ms ?? 0), first_percent: levels[0],
        last_ts: text(sorted.at(-1)?.ms ?? 0), last_percent: levels.at(-1),
        percent_min: Math.min(...levels), percent_max: Math.max(...levels),
      };
    }).toSorted((a, b) => (a.of < b.of ? -1 : 1));
}
const shown = () => history.analyst.query(`
  SELECT concat(device_id, ' ', toString(day)) AS of, readings, first_ts, first_percent, last_ts,
    last_percent, percent_min, percent_max FROM v_battery_days ORDER BY of`);

beforeAll(async () => {
  history = await createHistory();
  for (const some of postsInAnyOrder(posts, SEED)) {
    expect(await writePosts(history.ingest, some)).toEqual([]);
    await refreshDays(history.admin);
    await refreshBatteries(history.admin);
  }
}, 300_000);
afterAll(async () => { await history.drop(); });

describe(`days of batteries (seed ${SEED})`, () => {
  it('are those of the readings, whatever comes late, again and in no order', async () => {
    expect(expected().length).toBeGreaterThan(15);
    expect(await shown()).toEqual(expected());
  });

  it('of a device go when it is erased', async () => {
    await createTrackEraser(history.admin).erase('d-1', [], Date.now());
    await refreshDays(history.admin);
    await refreshBatteries(history.admin);
    expect(await shown())
      .toEqual(expected().filter((row) => !('of' in row) || !String(row.of).startsWith('d-1 ')));
  }, 60_000);
});
