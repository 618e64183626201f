import type { LocationFix } from '../../schemas/generated/types.ts';
import { LIBRARY, readTracks } from '../../services/provider/readers/library.ts';
import { metersBetween } from '../support/meters-between.ts';
import type { NaiveFix } from '../support/naive-fix.ts';
import type { Found, TimeSpan } from './score.ts';

/** A recorded track without its speeds and ignition, and what these say of it. */
export interface RecordedDrive {
  readonly source: string;
  readonly fixes: readonly NaiveFix[];
  readonly truth: Found;
}

const MOVING_KMH = 5;
const STOP_S = 300;
const REPORTED_PART = 0.9;
const STEP_S_MAX = 90;
const YARD_M = 200;
const TRIP_M = 200;

/**
 * The recorded tracks of the repository that have a speed with nearly each fix, at least every 90 s
 * on average.
 */
export async function recordedDrives(): Promise<readonly RecordedDrive[]> {
  const drives: RecordedDrive[] = [];
  for (const file of LIBRARY) {
    for (const { fixes: sent } of await readTracks(file)) {
      const fixes = sent.toSorted((a, b) => a.timestamp - b.timestamp);
      const reported = fixes.filter(({ telemetry }) => telemetry?.speed !== undefined);
      const seconds = (fixes.at(-1)?.timestamp ?? 0) - (fixes[0]?.timestamp ?? 0);
      if (reported.length < REPORTED_PART * fixes.length || seconds < 2 * STOP_S
        || seconds / fixes.length > STEP_S_MAX) continue;
      drives.push({
        source: file.path, truth: labelsOf(fixes),
        fixes: fixes.map(({ timestamp: ts, latitude, longitude }) => ({ ts, latitude, longitude })),
      });
    }
  }
  return drives;
}

/**
 * A stop is 300 s within 200 m, with the ignition off or a speed below 5 km/h. Other fixes make a
 * trip of 200 m or more. Two trips have 300 s between them. Meters are speed times time.
 */
export function labelsOf(fixes: readonly LocationFix[]): Found {
  const stops: TimeSpan[] = [];
  const trips: { from: number; to: number; meters: number }[] = [];
  let still: LocationFix[] = [];
  let meters = 0;
  const close = (): void => {
    const [first, last] = [still[0], still.at(-1)];
    if (first !== undefined && last !== undefined && last.timestamp - first.timestamp >= STOP_S
      && still.every((fix) => metersBetween(first, fix) <= YARD_M)) {
      stops.push({ from: first.timestamp, to: last.timestamp });
    }
    still = [];
  };
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1];
    if (isStanding(fix)) {
      still.push(fix);
      continue;
    }
    close();
    const seconds = fix.timestamp - (before?.timestamp ?? fix.timestamp);
    const isKnown = seconds <= STEP_S_MAX;
    const way = isKnown ? (fix.telemetry?.speed ?? 0) / 3.6 * seconds : 0;
    meters += way;
    const trip = trips.at(-1);
    if (trip !== undefined && fix.timestamp - trip.to < STOP_S) {
      trip.to = fix.timestamp;
      trip.meters += way;
    } else {
      trips.push({ from: fix.timestamp - (isKnown ? seconds : 0), to: fix.timestamp, meters: way });
    }
  }
  close();
  return { stops, trips: trips.filter((trip) => trip.meters >= TRIP_M), meters };
}

function isStanding({ telemetry }: LocationFix): boolean {
  return telemetry?.ignition === false || (telemetry?.speed ?? 0) < MOVING_KMH;
}
