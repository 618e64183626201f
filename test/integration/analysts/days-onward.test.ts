import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NaiveFix } from '../../support/naive-fix.ts';
import { driveParts, fixesOf } from '../../support/track-moves.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { expectReckoned } from './reckoned-days.ts';
import { liftPace, refreshDays, sendable } from './tracks.ts';

const DAY_S = 86_400;
const YESTERDAY_S = (Math.floor(Date.now() / 1_000 / DAY_S) - 1) * DAY_S;
const SEED = 20_261_125;
const DEVICES = 64;
const ROUNDS = 8;

/** How the fixes of a device come. */
type Arrival = 'in order' | 'twice' | 'a little late' | 'late';
const ARRIVALS: readonly Arrival[] = ['in order', 'twice', 'a little late', 'late'];
const arrivalOf = (device: number): Arrival => ARRIVALS[device % ARRIVALS.length] ?? 'in order';

/** Six hours or so, most of them over the midnight before yesterday. */
const tracks = fc.sample(
  fc.tuple(driveParts, driveParts, driveParts), { numRuns: DEVICES, seed: SEED },
).map((parts, device) => fixesOf(parts.flat(), YESTERDAY_S - 1_800 + 97 * device));

/** What is random about a round, and about the fixes of a device in it. */
const rounds = fc.sample(fc.record({
  isAgedBefore: fc.boolean(), isAgedAfter: fc.boolean(),
  odds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 }),
}), { numRuns: ROUNDS, seed: SEED });

let history: History;
const sent: NaiveFix[][] = tracks.map(() => []);
let onward = 0;
let again = 0;
beforeAll(async () => {
  history = await createHistory();
  await liftPace(history.admin);
});
afterAll(() => history.drop());

/** What arrived so far arrived a quarter of an hour earlier, so that it is nothing new. */
async function age(): Promise<void> {
  await history.admin.execute(`
    ALTER TABLE device_minutes UPDATE arrived_at = arrived_at - 1000 WHERE true
    SETTINGS mutations_sync = 2`);
}

/**
 * The fixes of a device that come in a round: those of its portion. Some of them come two rounds
 * later, or of the last ones some one round later.
 */
function fixesIn(round: number, device: number): readonly NaiveFix[] {
  const all = tracks[device] ?? [];
  const oddsOf = (at: number) => rounds[at % ROUNDS]?.odds[device] ?? 0;
  const portion = (at: number) => all.filter((_, n) => Math.floor(n * ROUNDS / all.length) === at);
  const roundsLate = arrivalOf(device) === 'late' ? 2 : 1;
  const isLate = (at: number, n: number, count: number) => at < ROUNDS - roundsLate && (
    arrivalOf(device) === 'late' ? (n * 7 + 3) % 10 < 4 * oddsOf(at)
      : arrivalOf(device) === 'a little late' && n >= count - 12 && n % 2 === 0
  );
  const own = portion(round).filter((_, n, { length }) => !isLate(round, n, length));
  const earlier = portion(round - roundsLate)
    .filter((_, n, { length }) => isLate(round - roundsLate, n, length));
  const repeated = arrivalOf(device) !== 'twice' ? [] : all
    .slice(0, Math.floor((round + oddsOf(round)) * all.length / ROUNDS)).slice(-3);
  return oddsOf(round) > 0.85 && arrivalOf(device) !== 'in order'
    ? [...earlier, ...own.toReversed(), ...repeated] : [...own, ...repeated, ...earlier];
}

async function play(round: number): Promise<void> {
  const posts = tracks.flatMap((_, device) => {
    const fixes = fixesIn(round, device);
    sent[device]?.push(...fixes);
    return fixes.length === 0 ? [] : [
      post(fixes.map(sendable), { device: `drive-${device}`, receivedAtMs: Date.now() }),
    ];
  });
  expect(await writePosts(history.ingest, posts)).toEqual([]);
  const { isAgedBefore = false, isAgedAfter = false } = rounds[round] ?? {};
  if (isAgedBefore) await age();
  const [due] = await history.admin.query(`
    SELECT countIf(cut > 0) AS onward, countIf(cut = 0) AS whole FROM device_days_due
    WHERE (device_id, day) IN (SELECT device_id, day FROM device_day_states)`);
  onward += Number(due?.['onward']);
  again += Number(due?.['whole']);
  await refreshDays(history.admin);
  if (isAgedAfter) await age();
}

const rows = () => history.admin.query(
  'SELECT * EXCEPT computed_at FROM device_days FINAL ORDER BY device_id, day',
);

describe('days that are computed while their fixes come', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'are those of a naive walk over what came until round %i', async (round) => {
      await play(round);
      await expectReckoned(history.analyst, 'drive', sent);
    }, 60_000,
  );

  it('are computed from what is new, and whole only after late fixes', () => {
    expect(onward).toBeGreaterThan(100);
    expect(again).toBeGreaterThan(10);
  });

  it('are the same when all of them are computed once more from the beginning', async () => {
    const before = await rows();
    await history.admin.execute('TRUNCATE TABLE device_day_states');
    await history.admin.execute(`
      INSERT INTO device_day_marks (device_id, day, marked_at)
      SELECT DISTINCT device_id, day, now64(3, 'UTC') FROM device_day_marks`);
    await refreshDays(history.admin);
    const [computed] = await history.admin.query(
      'SELECT uniqExact(device_id, day) AS days FROM device_day_states',
    );
    expect(Number(computed?.['days'])).toBeGreaterThanOrEqual(DEVICES);
    expect(await rows()).toEqual(before);
  });
});

describe('a fix that comes late, within 300 s after the cut', () => {
  const start = YESTERDAY_S + 36_000;
  const degrees = (meters: number) => meters / 111_195;
  /** It drives for 20 minutes, then it parks, with 8 m of noise, for 400 s. */
  const fixes = Array.from({ length: 161 }, (_, n): NaiveFix => ({
    ts: start + 10 * n, longitude: 11.5, odometer: n,
    latitude: 48 + degrees(Math.min(n, 120) * 100 + (n > 120 && n % 2 === 0 ? 16 : 0)),
  }));
  const parked = start + 1_200;

  it('changes what was known before the cut', async () => {
    const write = async (some: readonly NaiveFix[]) => {
      expect(await writePosts(history.ingest, [
        post(some.map(sendable), { device: 'parks-0', receivedAtMs: Date.now() }),
      ])).toEqual([]);
    };
    await write(fixes);
    await age();
    await refreshDays(history.admin);
    await expectReckoned(history.analyst, 'parks', [fixes]);
    expect(await history.admin.query(`
      SELECT cut FROM device_day_states FINAL WHERE device_id = 'parks-0'`))
      .toEqual([{ cut: parked + 60 }]);
    const late = { ts: parked + 305, latitude: 48 + degrees(12_300), longitude: 11.5, odometer: 1 };
    await write([late]);
    await refreshDays(history.admin);
    await expectReckoned(history.analyst, 'parks', [[...fixes, late]]);
  }, 60_000);
});
