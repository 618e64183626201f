import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naiveOddFixes, type SentFix } from '../../support/naive-odd-fixes.ts';
import { createHistory, post, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const SEED = seedOfRun();
const DAY_S = 86_400;
const START = (Math.floor(Date.now() / 1_000 / DAY_S) - 20) * DAY_S;
const PLACES = [[-23, -46], [-23.01, -46], [-23.3, -46]] as const;

/** Fixes of a device in one post: seconds after the start, a place, and what telemetry says. */
type Case = readonly [
  at: number, place: number, speed?: number | undefined, odometer?: number | undefined,
];
interface Sent {
  readonly cases: readonly Case[];
  readonly receivedAt: number;
}

let history: History;
let devices = 0;
let nextOffset = 1;
beforeAll(async () => { history = await createHistory(); }, 240_000);
afterAll(async () => { await history.drop(); });

const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
);

/** Each case comes in a post of its own, 3 seconds after its fix. */
const alone = (cases: readonly Case[]): readonly Sent[] => (
  cases.map((each) => ({ cases: [each], receivedAt: START + each[0] + 3 }))
);

function fixesOf({ cases, receivedAt }: Sent, offset: number): readonly SentFix[] {
  return cases.map(([at, place, speed, odometer]) => {
    const [latitude = 0, longitude = 0] = PLACES[place] ?? [];
    return { ts: START + at, latitude, longitude, speed, odometer, receivedAt, offset };
  });
}

function recordOf(device: string, sent: Sent, offset: number) {
  return post(fixesOf(sent, offset).map(({ ts, latitude, longitude, speed, odometer }) => ({
    timestamp: ts, country_id: 'BR', latitude, longitude,
    telemetry: { timestamp: ts, speed, odometer },
  })), { device, offset, receivedAtMs: Math.round(sent.receivedAt * 1_000) });
}

async function seen(device: string, from = START - DAY_S, to = START + 3 * DAY_S) {
  const rows = await history.analyst.query(`
    SELECT toUnixTimestamp(ts) AS at, kind, latitude, longitude FROM v_odd_fixes(
      device = {device:String}, since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
    ORDER BY ALL`, { device, since: text(from), until: text(to) });
  return rows.map(({ at, kind, latitude, longitude }) => (
    { ts: Number(at), kind, latitude, longitude }
  ));
}

/** Of all random devices. */
async function seenOf(from: number, to: number) {
  const rows = await history.analyst.query(`
    SELECT device_id, toUnixTimestamp(ts) AS at, kind, latitude, longitude FROM v_odd_fixes(
      device = '', since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
    WHERE startsWith(device_id, 'random-')`, { since: text(from), until: text(to) });
  return rows.map(({ device_id, at, kind, latitude, longitude }) => (
    { device: device_id, ts: Number(at), kind, latitude, longitude }
  ));
}

/** The kinds of a device by the second of its fixes, as the view and as the walk have them. */
async function kindsOf(sent: readonly Sent[]): Promise<readonly string[]> {
  const device = `device-${devices += 1}`;
  const first = nextOffset;
  nextOffset += sent.length;
  expect(await writePosts(history.ingest, sent.map((each, n) => (
    recordOf(device, each, first + n)
  )))).toEqual([]);
  const names = (fixes: readonly { readonly ts: number; readonly kind: unknown }[]) => (
    fixes.map(({ ts, kind }) => `${ts - START} ${String(kind)}`).toSorted()
  );
  const rows = names(await seen(device));
  expect(names(naiveOddFixes(sent.flatMap((each, n) => fixesOf(each, first + n)))))
    .toEqual(rows);
  return rows;
}

/** Posts that say that they are so many seconds off, every five minutes. */
const off = (seconds: number, posts: number, lateS = 3): readonly Sent[] => (
  Array.from({ length: posts }, (_, n) => (
    { cases: [[n * 300, 0], [n * 300 - 30, 1]], receivedAt: START + n * 300 - seconds + lateS }
  ))
);

describe('a jump', () => {
  it.each<[string, readonly Case[], readonly string[]]>([
    ['to a place and back', [[0, 0], [30, 2], [60, 0]], ['30 jump']],
    ['of two fixes and back', [[0, 0], [30, 2], [60, 2], [90, 0]], ['30 jump']],
    ['to a place where it stays', [[0, 1], [20, 0], [50, 2], [80, 2]], ['50 jump']],
    ['back and forth, as two vehicles under one id do',
      [[0, 0], [30, 2], [60, 0], [90, 2], [120, 0]], ['30 jump', '60 jump', '90 jump']],
    ['is not 33 km in six minutes', [[0, 0], [360, 2], [720, 0]], []],
    ['is not 1.1 km in twelve seconds', [[0, 0], [12, 1], [24, 0]], []],
    ['is 1.1 km in eleven seconds', [[0, 0], [11, 1], [22, 0]], ['11 jump']],
    ['is not where a place was held before, as in a tunnel',
      [[0, 0], [30, 0], [60, 0], [90, 2], [120, 2]], []],
    ['is not after more than an hour of silence', [[0, 0], [3_601, 2]], []],
  ])('%s', async (_what, cases, expected) => {
    expect(await kindsOf(alone(cases))).toEqual(expected);
    const whole = { cases, receivedAt: START + (cases.at(-1)?.[0] ?? 0) + 3 };
    expect(await kindsOf([whole])).toEqual(expected);
  });

  it('never is a fix at 0,0, which has a flag of its own', async () => {
    expect(await kindsOf(alone([[0, 0], [30, 9], [60, 0]]))).toEqual([]);
  });

  it('is taken back when a late fix shows that the place before was held', async () => {
    const way: readonly Case[] = [[0, 0], [3_000, 0], [3_010, 2]];
    expect(await kindsOf(alone(way.slice(1)))).toEqual(['3010 jump']);
    expect(await kindsOf([...alone([...way.slice(1), [3_020, 2]]), {
      cases: [[2_000, 0]], receivedAt: START + DAY_S,
    }])).toEqual([]);
  });
});

describe('a frozen fix', () => {
  const each = (seconds: number, until: number, speed?: number, km = 0): readonly Case[] => (
    Array.from({ length: Math.floor(until / seconds) + 1 }, (_, n) => (
      [n * seconds, 0, speed, km === 0 ? undefined : 10 + n * km]
    ))
  );
  it.each<[string, readonly Case[], readonly string[]]>([
    ['has driven for 300 s by its speed', each(100, 400, 5), ['300 frozen', '400 frozen']],
    ['is none after less', each(99, 297, 80), []],
    ['is none below 5 km/h', each(100, 900, 4.9), []],
    ['is none with a speed that no vehicle has', each(100, 900, 351), []],
    ['has driven a kilometer by its odometer', each(60, 180, 0, 0.5), ['120 frozen', '180 frozen']],
    ['is none by less', each(60, 60, 0, 0.9), []],
    ['is none by an odometer faster than 350 km/h', each(60, 180, 0, 6), []],
    ['is none across a silence of over 900 s', each(901, 2_703, 80), []],
    ['is none when the place has another last digit',
      each(100, 900, 80).map(([at, , speed], n): Case => [at, n % 2, speed]), []],
    ['counts one hour back', [...each(299, 299, 50), [3_899, 0, 50], [3_900, 0, 50]], []],
  ])('%s', async (_what, cases, expected) => {
    expect(await kindsOf(alone(cases))).toEqual(expected);
  });
});

describe('hours off', () => {
  const all = (posts: number): readonly string[] => Array.from({ length: posts }, (_, n) => (
    [`${n * 300} hours_off`, `${n * 300 - 30} hours_off`]
  )).flat().toSorted();
  it.each<[string, readonly Sent[], readonly string[]]>([
    ['is a local time that was sent as UTC', off(-10_800, 3), all(3)],
    ['is a clock ahead', off(7_200, 4), all(4)],
    ['may be 120 s away from it', off(-10_800, 3, 120), all(3)],
    ['is not farther away', off(-10_800, 3, 121), []],
    ['is not 15 hours', off(-54_000, 3), []],
    ['is not half an hour', off(-5_400, 3), []],
    ['is not two posts', off(-10_800, 2), []],
    ['is not 0 hours', off(0, 5), []],
    ['is not what came at once, as old data do after a silence',
      off(-10_800, 3).map((sent, n) => ({ ...sent, receivedAt: START + 11_100 + n * 10 })), []],
    ['is not an old fix in a post whose newest is right', off(0, 5).map(
      ({ cases: [newest], receivedAt }) => ({
        cases: [[(newest?.[0] ?? 0) - 10_800, 1], newest ?? [0, 0]], receivedAt,
      }),
    ), []],
  ])('%s', async (_what, sent, expected) => {
    expect((await kindsOf(sent)).filter((kind) => kind.endsWith('hours_off'))).toEqual(expected);
  });
});

describe('a week of GPS that began again', () => {
  const WEEKS_S = 619_315_200;
  it.each([
    [0, 'gps_week_rollover'], [DAY_S, 'gps_week_rollover'], [-DAY_S, 'gps_week_rollover'],
    [DAY_S + 1, 'too_old'], [-DAY_S - 1, 'too_old'],
  ])('is the reason of an outlier %d s from it: %s', async (seconds, reason) => {
    const device = `device-${devices += 1}`;
    await writePosts(history.ingest, [post([{
      timestamp: START - WEEKS_S + seconds, country_id: 'BR', latitude: 1, longitude: 2,
    }], { device, receivedAtMs: START * 1_000, offset: nextOffset += 1 })]);
    expect(await history.analyst.query(
      `SELECT reason FROM v_location_outliers WHERE device_id = '${device}'`,
    )).toEqual([{ reason }]);
    expect(await seen(device)).toEqual(reason === 'too_old' ? [] : [{
      ts: START - WEEKS_S + seconds, kind: reason, latitude: 1, longitude: 2,
    }]);
  });
});

describe(`odd fixes of any history (seed ${SEED})`, () => {
  const HOURS = [0, 3, -2, 0, 5];
  const steps = fc.array(fc.record({
    after: fc.constantFrom(1, 12, 30, 300, 300, 900, 1_200, 3_700),
    count: fc.integer({ min: 1, max: 4 }),
    place: fc.constantFrom(0, 0, 0, 1, 2, 9), speed: fc.constantFrom(undefined, 0, 30, 80, 400),
    km: fc.constantFrom(undefined, 0, 0.3, 0.5, 9),
    late: fc.constantFrom(3, 3, 100, 130, 2 * DAY_S),
    again: fc.constantFrom(0, 0, 0, 60, DAY_S),
  }), { minLength: 60, maxLength: 60 });
  const sentBy = fc.sample(steps, { numRuns: HOURS.length, seed: SEED }).map((posts, n) => {
    let [at, odometer] = [0, 100];
    return posts.flatMap(({ after, count, place, speed, km, late, again }) => {
      const cases = Array.from({ length: count }, (): Case => {
        at += after;
        odometer += km ?? 0;
        return [at, place, speed, km === undefined ? undefined : odometer];
      });
      const receivedAt = START + at - (HOURS[n] ?? 0) * 3_600 + late;
      return [{ cases, receivedAt }, ...again === 0 ? [] : [{
        cases: [...cases.slice(1), [at + 1, place] as const], receivedAt: receivedAt + again,
      }]];
    });
  });

  it('are those of a walk over all its fixes, in any order and in any window', async () => {
    const device = (n: number): string => `random-${n}`;
    const first = (n: number): number => 10_000 * (n + 1);
    const records = sentBy.flatMap((posts, n) => posts.map((sent, m) => (
      recordOf(device(n), sent, first(n) + m)
    )));
    for (const some of postsInAnyOrder(records, SEED)) {
      expect(await writePosts(history.ingest, some)).toEqual([]);
    }
    const sorted = (fixes: readonly object[]) => fixes.map((fix) => (
      JSON.stringify(fix, ['device', 'ts', 'kind', 'latitude', 'longitude'])
    )).toSorted();
    const expected = sorted(sentBy.flatMap((posts, n) => (
      naiveOddFixes(posts.flatMap((sent, m) => fixesOf(sent, first(n) + m)))
        .map((fix) => ({ device: device(n), ...fix }))
    )));
    const [from, to] = [START - DAY_S, START + 3 * DAY_S];
    expect(sorted(await seenOf(from, to))).toEqual(expected);
    const parts: object[] = [];
    for (let at = from; at < to; at += 33_333) {
      parts.push(...await seenOf(at, Math.min(at + 33_333, to)));
    }
    expect(sorted(parts)).toEqual(expected);
    const found = new Set(expected.map((fix) => (JSON.parse(fix) as { kind: string }).kind));
    expect([...found].toSorted()).toEqual(['frozen', 'hours_off', 'jump']);
  }, 300_000);
});
