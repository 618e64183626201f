/** A fix as far as days and trips go: seconds, degrees, kilometers/hour, kilometers. */
export interface NaiveFix {
  readonly ts: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed?: number | undefined;
  readonly odometer?: number | undefined;
}

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
}

const DAY = 86_400;
const KNOWN_S_MAX = 900;
const HELD_S_MAX = 60;
const QUIET_S = 300;
const MOVING_KMH = 5;
const JUMP_MS = 97.2;

/**
 * Days and trips of one device by one walk over all its fixes, written without a look at the SQL:
 * what the views of infra/clickhouse must come to.
 */
export function naiveDays(sent: readonly NaiveFix[]): readonly NaiveDay[] {
  const fixes = onePerSecond(sent);
  const days = new Map<number, NaiveDay>();
  let arrivedAt = fixes[0]?.ts ?? 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  let stillSince = fixes[0]?.ts ?? 0;
  for (const [index, fix] of fixes.entries()) {
    const day = dayOf(days, Math.floor(fix.ts / DAY));
    const reported = fix.speed !== undefined && fix.speed <= 350 ? fix.speed : undefined;
    day.fixes += 1;
    if (reported !== undefined) day.reported.push(reported);
    if (fix.odometer !== undefined) day.odometers.push(fix.odometer);
    const last = fixes[index - 1];
    if (last === undefined) continue;
    const seconds = fix.ts - last.ts;
    const meters = metersBetween(last, fix);
    const movedS = seconds + Math.min(last.ts - arrivedAt, HELD_S_MAX);
    if (meters > 0) arrivedAt = fix.ts;
    if (seconds > KNOWN_S_MAX) {
      stillSince = fix.ts;
      if (last.ts >= day.day * DAY - 3_600) {
        day.gaps += 1;
        day.gap_s += seconds;
      }
      continue;
    }
    if (meters > JUMP_MS * movedS) {
      day.jumps += 1;
      continue;
    }
    const isMoving = seconds <= 10 && reported !== undefined
      ? reported >= MOVING_KMH : 3.6 * meters / movedS >= MOVING_KMH;
    if (!isMoving) {
      day.standing_s += seconds;
      if (fix.ts - stillSince >= QUIET_S && last.ts - stillSince < QUIET_S) day.stops += 1;
      continue;
    }
    stillSince = fix.ts;
    day.distance += meters;
    day.driving_s += seconds;
    drive(day, last.ts, fix.ts, meters, last.ts - movedAt < QUIET_S);
    movedAt = fix.ts;
  }
  for (const day of days.values()) day.trips = day.trips.filter((trip) => isShown(day, trip));
  return [...days.values()];
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
  return trip.distance >= 200 || trip.continues || trip.end_ts >= (day + 1) * DAY - QUIET_S;
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

function dayOf(days: Map<number, NaiveDay>, day: number): NaiveDay {
  const found = days.get(day) ?? {
    day, fixes: 0, distance: 0, driving_s: 0, standing_s: 0, stops: 0, gaps: 0, gap_s: 0, jumps: 0,
    reported: [], odometers: [], trips: [],
  };
  days.set(day, found);
  return found;
}

/** Haversine on a sphere of 6,371,008.8 m. */
export function metersBetween(
  a: Pick<NaiveFix, 'latitude' | 'longitude'>, b: Pick<NaiveFix, 'latitude' | 'longitude'>,
): number {
  const rad = (degrees: number): number => degrees * Math.PI / 180;
  const h = Math.sin(rad(b.latitude - a.latitude) / 2) ** 2
    + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude))
    * Math.sin(rad(b.longitude - a.longitude) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}
