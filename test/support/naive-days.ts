import { metersBetween } from './meters-between.ts';
import type { NaiveFix } from './naive-fix.ts';
import { createRests, staysOf, validSpeed, type NaiveStop } from './naive-stops.ts';

/** A trip as v_trips shows it; distance in meters. */
export interface NaiveTrip {
  readonly start_ts: number;
  end_ts: number;
  distance: number;
  driving_s: number;
  readonly continues: boolean;
}

/** A day as v_device_days shows it; distance in meters. */
export interface NaiveDay {
  readonly day: number;
  fixes: number;
  distance: number;
  driving_s: number;
  standing_s: number;
  stops: number;
  gaps: number;
  gap_s: number;
  jumps: number;
  reported: number[];
  odometers: number[];
  trips: NaiveTrip[];
  stays: NaiveStop[];
}

const DAY = 86_400;
const KNOWN_S_MAX = 900;
const HELD_S_MAX = 60;
const QUIET_S = 300;
const MOVING_KMH = 5;
const JUMP_MS = 97.2;
const SEEN_BEFORE_S = 3_600;
const SAME_PLACE_M = 200;
const TRIP_CM_MIN = 20_000;

/**
 * Days, trips and stops of one device by a walk over the fixes of each day and of the hour before,
 * written without a look at the SQL: what the views of infra/clickhouse must come to.
 */
export function naiveDays(sent: readonly NaiveFix[]): readonly NaiveDay[] {
  const fixes = onePerSecond(sent);
  return [...new Set(fixes.map(({ ts }) => Math.floor(ts / DAY)))].map((day) => walk(
    day, fixes.filter(({ ts }) => ts >= day * DAY - SEEN_BEFORE_S && ts < (day + 1) * DAY),
  ));
}

function walk(number: number, fixes: readonly NaiveFix[]): NaiveDay {
  const day = emptyDay(number);
  const stays = staysOf(fixes);
  const rests = createRests(number * DAY);
  let arrivedAt = fixes[0]?.ts ?? 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  for (const [index, fix] of fixes.entries()) {
    const isOwn = fix.ts >= number * DAY;
    const reported = validSpeed(fix);
    if (isOwn) {
      day.fixes += 1;
      if (reported !== undefined) day.reported.push(reported);
      if (fix.odometer !== undefined) day.odometers.push(fix.odometer);
    }
    const last = fixes[index - 1];
    if (last === undefined) {
      rests.breakAt(fix.ts);
      continue;
    }
    const seconds = fix.ts - last.ts;
    const meters = metersBetween(last, fix);
    const movedS = seconds + Math.min(last.ts - arrivedAt, HELD_S_MAX);
    if (meters > 0) arrivedAt = fix.ts;
    if (seconds > KNOWN_S_MAX) {
      if (isOwn) {
        day.gaps += 1;
        day.gap_s += seconds;
      }
      if (meters <= SAME_PLACE_M) rests.rest(last.ts, fix, { isSilent: true, isJump: false });
      else rests.breakAt(fix.ts);
      continue;
    }
    if (meters > JUMP_MS * movedS) {
      if (isOwn) day.jumps += 1;
      rests.rest(last.ts, fix, { isSilent: false, isJump: true });
      continue;
    }
    const isFast = seconds <= 10 && reported !== undefined
      ? reported >= MOVING_KMH : 3.6 * meters / movedS >= MOVING_KMH;
    if (!isFast || stays.some(([from, to]) => last.ts >= from && fix.ts < to)) {
      if (isOwn) day.standing_s += seconds;
      rests.rest(last.ts, fix, { isSilent: false, isJump: false });
      continue;
    }
    rests.breakAt(fix.ts);
    if (isOwn) {
      // Distances are whole centimeters: one of a trip may lie right at the limit.
      const driven = Math.round(meters * 100) / 100;
      day.distance += driven;
      day.driving_s += seconds;
      drive(day, last.ts, fix.ts, driven, last.ts - movedAt < QUIET_S);
    }
    movedAt = fix.ts;
  }
  day.trips = day.trips.filter((trip) => isShown(day, trip));
  day.stays = rests.stops();
  day.stops = day.stays.filter(({ continues }) => !continues).length;
  return day;
}

function drive(day: NaiveDay, from: number, to: number, meters: number, goesOn: boolean): void {
  const trip = day.trips.at(-1);
  if (trip !== undefined && goesOn) {
    trip.end_ts = to;
    trip.distance += meters;
    trip.driving_s += to - from;
    return;
  }
  day.trips.push({
    start_ts: from, end_ts: to, distance: meters, driving_s: to - from, continues: goesOn,
  });
}

/** Short ones are noise, unless midnight made them short. */
function isShown({ day }: NaiveDay, trip: NaiveTrip): boolean {
  return Math.round(trip.distance * 100) >= TRIP_CM_MIN || trip.continues
    || trip.end_ts >= (day + 1) * DAY - QUIET_S;
}

function onePerSecond(sent: readonly NaiveFix[]): readonly NaiveFix[] {
  const seconds = new Map<number, NaiveFix>();
  for (const fix of sent) {
    if (fix.latitude === 0 && fix.longitude === 0) continue;
    const other = seconds.get(fix.ts);
    if (other === undefined || isLess(fix, other)) seconds.set(fix.ts, fix);
  }
  return [...seconds.values()].sort((a, b) => a.ts - b.ts);
}

function isLess(a: NaiveFix, b: NaiveFix): boolean {
  const keys = ({ latitude, longitude, speed, odometer }: NaiveFix) => (
    [latitude, longitude, speed ?? -1, odometer ?? -1]
  );
  const [mine, theirs] = [keys(a), keys(b)];
  const index = mine.findIndex((value, at) => value !== theirs[at]);
  return index !== -1 && (mine[index] ?? 0) < (theirs[index] ?? 0);
}

function emptyDay(day: number): NaiveDay {
  return {
    day, fixes: 0, distance: 0, driving_s: 0, standing_s: 0, stops: 0, gaps: 0, gap_s: 0, jumps: 0,
    reported: [], odometers: [], trips: [], stays: [],
  };
}
