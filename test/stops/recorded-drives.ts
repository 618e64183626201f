import { LIBRARY, readTracks } from '../../services/provider/readers/library.ts';
import { metersBetween, type NaiveFix } from '../support/naive-days/naive-days.ts';
import type { Found } from './score.ts';
import type { StopSpan } from './simulated-drive.ts';

/** A recorded track without its speeds, and what its speeds say of it. */
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

/**
 * The recorded tracks of the repository that have a speed with nearly each fix, at least every 90 s on
 * average. Labels: a stop is 300 s below 5 km/h in which the vehicle came no farther than 200 m;
 * meters are the sum of speed times time.
 */
export async function recordedDrives(): Promise<readonly RecordedDrive[]> {
  const drives: RecordedDrive[] = [];
  for (const file of LIBRARY) {
    for (const { fixes: sent } of await readTracks(file)) {
      const fixes = sent.map(({ timestamp, latitude, longitude, accuracy, telemetry }): NaiveFix => (
        { ts: timestamp, latitude, longitude, accuracy, speed: telemetry?.speed }
      )).toSorted((a, b) => a.ts - b.ts);
      const reported = fixes.filter(({ speed }) => speed !== undefined);
      const seconds = (fixes.at(-1)?.ts ?? 0) - (fixes[0]?.ts ?? 0);
      if (reported.length < REPORTED_PART * fixes.length || seconds < 2 * STOP_S
        || seconds / fixes.length > STEP_S_MAX) continue;
      drives.push({
        source: file.path, truth: labelsOf(fixes),
        fixes: fixes.map(({ speed: _speed, ...fix }) => fix),
      });
    }
  }
  return drives;
}

function labelsOf(fixes: readonly NaiveFix[]): Found {
  const stops: StopSpan[] = [];
  let meters = 0;
  let slow: NaiveFix[] = [];
  const close = (): void => {
    const [first, last] = [slow[0], slow.at(-1)];
    if (first !== undefined && last !== undefined && last.ts - first.ts >= STOP_S
      && slow.every((fix) => metersBetween(first, fix) <= YARD_M)) {
      stops.push({ from: first.ts, to: last.ts });
    }
    slow = [];
  };
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1];
    const isSlow = (fix.speed ?? 0) < MOVING_KMH;
    if (before !== undefined && fix.ts - before.ts <= STEP_S_MAX) {
      meters += (fix.speed ?? 0) / 3.6 * (fix.ts - before.ts);
    }
    if (isSlow) slow.push(fix);
    else close();
  }
  close();
  return { stops, meters };
}
