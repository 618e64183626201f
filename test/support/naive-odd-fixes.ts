import { metersBetween } from './meters-between.ts';
import type { NaiveFix } from './naive-fix.ts';

/** A fix as one device sent it in a post; times are epoch seconds. */
export interface SentFix extends NaiveFix {
  readonly receivedAt: number;
  /** Offset of its post in the log: of two equal facts the least counts. */
  readonly offset: number;
}

/** A fix with one of its names, as `v_odd_fixes` shows it. */
export interface NaiveOddFix extends Pick<NaiveFix, 'ts' | 'latitude' | 'longitude'> {
  readonly kind: 'jump' | 'frozen' | 'hours_off';
}

const HOUR = 3_600;
const MOVING_KMH = 5;
const SPEED_KMH_MAX = 350;
const METERS_PER_SECOND_MAX = 97.2;

/**
 * The odd fixes of one device by a walk over all that it sent, written without a look at the SQL.
 * What is an outlier by its time is not among them.
 */
export function naiveOddFixes(sent: readonly SentFix[]): readonly NaiveOddFix[] {
  const facts = firstSendings(sent);
  const track = onePerPlace(facts);
  return [
    ...named('jump', track.filter((_, n) => isJump(track, n))),
    ...named('frozen', track.filter((_, n) => isFrozen(track, n))),
    ...named('hours_off', hoursOff(facts)),
  ];
}

function named(kind: NaiveOddFix['kind'], fixes: readonly NaiveFix[]): readonly NaiveOddFix[] {
  return fixes.map(({ ts, latitude, longitude }) => ({ kind, ts, latitude, longitude }));
}

function isFar(from: NaiveFix | undefined, to: NaiveFix | undefined): boolean {
  if (from === undefined || to === undefined || to.ts - from.ts > HOUR) return false;
  return !canReach(from, to);
}

function canReach(from: NaiveFix, to: NaiveFix): boolean {
  return metersBetween(from, to) <= Math.max(1_000, METERS_PER_SECOND_MAX * (to.ts - from.ts));
}

function isJump(track: readonly NaiveFix[], n: number): boolean {
  const [held, before, fix, after] = [track[n - 2], track[n - 1], track[n], track[n + 1]];
  if (before === undefined || fix === undefined || !isFar(before, fix)) return false;
  if (isFar(fix, after)) return true;
  if (held !== undefined && held.ts < before.ts && held.ts >= before.ts - HOUR
    && isSamePlace(held, before)) return false;
  for (let m = n - 1; m > 0; m -= 1) {
    const [from, to] = [track[m - 1], track[m]];
    if (from === undefined || to === undefined || to.ts < fix.ts - HOUR) break;
    if (isFar(from, to)) return !canReach(from, fix);
  }
  return true;
}

function isFrozen(track: readonly NaiveFix[], n: number): boolean {
  const fix = track[n];
  if (fix === undefined || drivenAt(track, n) === undefined) return false;
  const steps = track.flatMap((each, m) => (
    isSamePlace(each, fix) && each.ts <= fix.ts && each.ts > fix.ts - HOUR
      ? [drivenAt(track, m) ?? { seconds: 0, meters: 0 }] : []
  ));
  const sum = (of: 'seconds' | 'meters') => steps.reduce((all, step) => all + step[of], 0);
  return sum('seconds') >= 300 || sum('meters') >= 1_000;
}

/** What the step to a fix says of driving at one place; undefined when it says nothing. */
function drivenAt(track: readonly NaiveFix[], n: number) {
  const [before, fix] = [track[n - 1], track[n]];
  if (before === undefined || fix === undefined || !isSamePlace(before, fix)) return undefined;
  const dt = fix.ts - before.ts;
  if (dt < 1 || dt > 900) return undefined;
  const drives = ({ speed = -1 }: NaiveFix): boolean => (
    speed >= MOVING_KMH && speed <= SPEED_KMH_MAX
  );
  const kilometers = fix.odometer === undefined || before.odometer === undefined
    ? 0 : fix.odometer - before.odometer;
  const seconds = drives(before) && drives(fix) ? dt : 0;
  const rises = kilometers > 0 && kilometers <= METERS_PER_SECOND_MAX * dt / 1_000;
  if (seconds === 0 && !rises) return undefined;
  return { seconds, meters: rises ? Math.round(kilometers * 1_000) : 0 };
}

function hoursOff(facts: readonly SentFix[]): readonly SentFix[] {
  const posts = [...Map.groupBy(facts, ({ offset }) => offset).values()].map((fixes) => {
    const newest = Math.max(...fixes.map(({ ts }) => ts));
    const receivedAt = Math.floor(fixes[0]?.receivedAt ?? 0);
    const hours = Math.round((newest - receivedAt) / HOUR);
    const isOff = hours !== 0 && Math.abs(hours) <= 14
      && Math.abs(newest - receivedAt - hours * HOUR) <= 120;
    return { fixes, newest, receivedAt, hours: isOff ? hours : 0 };
  });
  return posts.flatMap(({ fixes, newest, receivedAt, hours }) => {
    const near = posts.filter((post) => (
      post.hours === hours && Math.abs(post.receivedAt - receivedAt) <= HOUR
    )).map((post) => post.receivedAt);
    const isConstant = hours !== 0 && near.length >= 3
      && Math.max(...near) - Math.min(...near) >= 600;
    return isConstant ? fixes.filter(({ ts }) => newest - ts <= HOUR) : [];
  });
}

function firstSendings(sent: readonly SentFix[]): readonly SentFix[] {
  const facts = new Map<string, SentFix>();
  for (const fix of sent) {
    const { ts, latitude, longitude, speed, odometer } = fix;
    const key = JSON.stringify([ts, latitude, longitude, speed, odometer]);
    if ((facts.get(key)?.offset ?? Infinity) > fix.offset) facts.set(key, fix);
  }
  return [...facts.values()];
}

/** In the order of time; of one second and place the one that says most of driving. */
function onePerPlace(facts: readonly SentFix[]): readonly SentFix[] {
  const keys = ({ ts, latitude, longitude, speed = -1, odometer = -1 }: NaiveFix) => [
    ts, latitude, longitude, speed > SPEED_KMH_MAX ? -1 : speed, odometer,
  ];
  const sorted = facts.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0)
    .toSorted((a, b) => {
      const [mine, theirs] = [keys(a), keys(b)];
      const at = mine.findIndex((value, n) => value !== theirs[n]);
      return at === -1 ? 0 : (mine[at] ?? 0) - (theirs[at] ?? 0);
    });
  return sorted.filter((fix, n) => {
    const next = sorted[n + 1];
    return next === undefined || next.ts !== fix.ts || !isSamePlace(fix, next);
  });
}

function isSamePlace(a: NaiveFix, b: NaiveFix): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude;
}
