import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naiveDays } from '../../support/naive-days.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';
import { fixesOf, driveParts } from '../../support/track-moves.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { expectReckoned, rowsOfDevices } from './reckoned-days.ts';
import { refreshDays, sendable } from './tracks.ts';

const DAY_S = 86_400;
const TODAY = Math.floor(Date.now() / 1000 / DAY_S);
const LATE_MS = Date.now();
const SEED = 20_261_121;
const tracks = fc.sample(driveParts, { numRuns: 60, seed: SEED })
  // Most of them drive over a midnight.
  .map((all, index) => fixesOf(all, (TODAY - 3) * DAY_S - 900 + 37 * index));
/** An hour, a fix each second, without a reported speed. */
const VAN: readonly NaiveFix[] = fc.sample(
  fc.tuple(...Array.from({ length: 8 }, () => fc.double({ min: -1, max: 1, noNaN: true }))),
  { numRuns: 3_600, seed: SEED },
).map((parts, n) => ({
  ts: (TODAY - 2) * DAY_S + 36_000 + n,
  // Sums of four even parts: nearly normal, 4 m each way.
  latitude: 48.1 + noise(parts.slice(0, 4)), longitude: 11.5 + noise(parts.slice(4)) * 1.5,
}));

let history: History;
beforeAll(async () => {
  history = await createHistory();
  const shuffled = (of: readonly NaiveFix[], index: number) => (
    fc.sample(fc.shuffledSubarray([...of], { minLength: of.length }), { numRuns: 1, seed: index })
      .flat()
  );
  const posts = (kind: string, index: number, fixes: readonly NaiveFix[], chunk: number) => (
    Array.from({ length: Math.ceil(fixes.length / chunk) }, (_, n) => post(
      fixes.slice(n * chunk, (n + 1) * chunk).map(sendable),
      { device: `${kind}-${index}`, receivedAtMs: LATE_MS - 1_000 * n },
    ))
  );
  const van = Array.from({ length: 72 }, (_, n) => post(
    VAN.slice(50 * n, 50 * n + 50).map(sendable), { device: 'van', receivedAtMs: LATE_MS },
  ));
  const sorted = tracks.flatMap((fixes, index) => posts('sorted', index, fixes, 50));
  const mixed = tracks.map((fixes, index) => posts('mixed', index, shuffled(fixes, index), 7));
  const half = (all: typeof mixed, odd: number) => all.flatMap((each) => (
    each.filter((_, n) => n % 2 === odd)
  ));
  expect(await writePosts(history.ingest, [...van, ...sorted, ...half(mixed, 0)])).toEqual([]);
  await refreshDays(history.admin);
  // Late, and what was there already comes once more, in the middle and at the end.
  const again = tracks.flatMap((fixes, index) => (
    posts('mixed', index, shuffled(fixes, index + 1_000), 11)
  ));
  const late = [...half(mixed, 1), ...again];
  expect(await writePosts(history.ingest, late.toReversed())).toEqual([]);
  await refreshDays(history.admin);
}, 60_000);
afterAll(() => history.drop());

const rowsOf = (view: string, kind: string) => rowsOfDevices(history.analyst, view, kind);

describe('shuffled, late and repeated fixes', () => {
  it.each(['v_device_days', 'v_trips', 'v_stops', 'v_device_minutes', 'v_device_last', 'v_event_rates'])(
    'show in %s as the same fixes in their order', async (view) => {
      const sorted = await rowsOf(view, 'sorted');
      expect(sorted.length).toBeGreaterThanOrEqual(view === 'v_trips' ? 40 : tracks.length);
      expect(await rowsOf(view, 'mixed')).toEqual(sorted);
    },
  );

  it('leave the same cells', async () => {
    const cells = (kind: string) => history.admin.query(
      `SELECT substring(device_id, length({kind:String}) + 1) AS device, day, cells
       FROM device_days FINAL WHERE startsWith(device_id, {kind:String}) ORDER BY ALL`, { kind },
    );
    expect(await cells('mixed')).toEqual(await cells('sorted'));
  });
});

describe('days and trips', () => {
  it('are those of a naive walk over all fixes of a device', async () => {
    await expectReckoned(history.analyst, 'mixed', tracks);
    expect(tracks.some((fixes) => naiveDays(fixes).some(({ trips }) => (
      trips.some(({ continues }) => continues)
    )))).toBe(true);
    const stops = await rowsOf('v_stops', 'mixed');
    expect(stops.some(({ continues }) => continues)).toBe(true);
    expect(stops.some(({ silent_s }) => Number(silent_s) > 0)).toBe(true);
  });
});

describe('a parked van whose places are 4 m off', () => {
  it('drives 0 m and has one stop', async () => {
    expect(await history.analyst.query(
      `SELECT d.distance_m AS distance_m, d.driving_s AS driving_s, d.stops AS stops,
              s.duration_s AS duration_s, s.continues AS continues
       FROM v_device_days AS d INNER JOIN v_stops AS s USING (device_id, day)
       WHERE device_id = 'van'`,
    )).toEqual([
      { distance_m: 0, driving_s: 0, stops: 1, duration_s: VAN.length - 1, continues: false },
    ]);
  });
});

function noise(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0) * 4 / Math.sqrt(4 / 3) / 111_195;
}
