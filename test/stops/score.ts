import { naiveDays, type NaiveFix } from '../support/naive-days/naive-days.ts';
import type { StopSpan } from './simulated-drive.ts';

/** Stops and meters that something makes of fixes. */
export interface Found {
  readonly stops: readonly StopSpan[];
  readonly meters: number;
}

/** How much of the truth was found. */
export interface Score {
  readonly precision: number;
  readonly recall: number;
  /** Of the meters, in percent; positive when too many were found. */
  readonly distanceError: number;
  /** Mean error of the ends of matched stops, seconds. */
  readonly endsOffS: number;
}

/** What the rules of the tables make of fixes; a test holds the tables to the same walk. */
export function foundByRules(
  fixes: readonly NaiveFix[],
): Found & { readonly drivingS: number } {
  const days = naiveDays(fixes);
  const stops: StopSpan[] = [];
  for (const { start_ts: from, end_ts: to, continues } of days.flatMap((day) => day.stops)) {
    const before = stops.at(-1);
    if (continues && before !== undefined) stops[stops.length - 1] = { from: before.from, to };
    else stops.push({ from, to });
  }
  return {
    stops, meters: days.reduce((sum, { distance }) => sum + distance, 0),
    drivingS: days.reduce((sum, { driving_s }) => sum + driving_s, 0),
  };
}

/** A stop is found by one that shares half of the time that either takes. */
export function scoreOf(truth: Found, found: Found): Score {
  const pairs = truth.stops.flatMap((stop) => {
    const match = found.stops.find((other) => overlapOf(stop, other) >= 0.5);
    return match === undefined ? [] : [[stop, match] as const];
  });
  const off = pairs.map(([stop, other]) => (
    (Math.abs(stop.from - other.from) + Math.abs(stop.to - other.to)) / 2
  ));
  return {
    precision: found.stops.length === 0 ? 1 : pairs.length / found.stops.length,
    recall: truth.stops.length === 0 ? 1 : pairs.length / truth.stops.length,
    distanceError: 100 * (found.meters - truth.meters) / truth.meters,
    endsOffS: off.reduce((sum, seconds) => sum + seconds, 0) / Math.max(off.length, 1),
  };
}

function overlapOf(a: StopSpan, b: StopSpan): number {
  const both = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return both / (Math.max(a.to, b.to) - Math.min(a.from, b.from));
}
