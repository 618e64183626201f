import type { NaiveDay } from './naive-days.ts';

/** A trip as v_local_trips shows it; distance in meters. */
export interface WholeTrip {
  readonly start: number;
  end: number;
  distance: number;
  driving_s: number;
}

/** Trips of days in their order, those over midnight put together. */
export function wholeTripsOf(days: readonly NaiveDay[]): readonly WholeTrip[] {
  const whole: WholeTrip[] = [];
  for (const trip of days.flatMap(({ trips }) => trips)) {
    const before = whole.at(-1);
    if (trip.continues && before !== undefined) {
      before.end = trip.end_ts;
      before.distance += trip.distance;
      before.driving_s += trip.driving_s;
    } else {
      whole.push({
        start: trip.start_ts, end: trip.end_ts, distance: trip.distance, driving_s: trip.driving_s,
      });
    }
  }
  return whole;
}
