import type { LocationFix } from '../../../schemas/generated/types.ts';

/** How a lap is cut out of a track. */
export interface LapConfig {
  /** Track seconds per second on the wall; 1 is real time. */
  readonly speed: number;
  /** Longest lap on the wall; then the times have caught up with now. */
  readonly lapSecondsMax: number;
  /** Longest wait in a block of delayed rows, in track seconds: their gaps were waited before. */
  readonly lateStepSecondsMax: number;
}

/** One fix of a lap with its moment on the wall, in milliseconds after the lap's begin. */
export interface DueFix {
  readonly dueMs: number;
  readonly fix: LocationFix;
}

/** A lap: fixes of a track in their order, times shifted so that the lap ends about now. */
export interface Lap {
  readonly dues: readonly DueFix[];
  /** How long the lap lasts on the wall, also when its last fix is due earlier. */
  readonly durationMs: number;
  /** Row at which the next lap goes on; 0 when the track is at its end. */
  readonly nextRow: number;
}

/**
 * Plans one lap from `firstRow` on. Order, spacing, repeats and back steps stay; all times move by
 * one whole number of seconds, so that none is in the future at the moment it is due and the
 * lap's end is about now. A late row (earlier than one before it) is due after its predecessor in
 * its own rhythm, and never before its time.
 */
export function planLap(
  fixes: readonly LocationFix[], firstRow: number, beginMs: number, config: LapConfig,
): Lap {
  const first = fixes[firstRow];
  if (first === undefined) return { dues: [], durationMs: 0, nextRow: 0 };
  const { moments, nextRow } = cut(fixes, firstRow, config);
  const isCut = nextRow !== 0;
  const lapTrackSeconds = isCut ? config.lapSecondsMax * config.speed : moments.at(-1) ?? 0;
  const endSeconds = beginMs / 1000 + lapTrackSeconds / config.speed;
  const shift = Math.floor(Math.min(beginMs / 1000, endSeconds - lapTrackSeconds))
    - first.timestamp;
  const dues = moments.map((moment, index) => ({
    dueMs: (moment / config.speed) * 1000,
    fix: shiftFix(fixes[firstRow + index] as LocationFix, shift),
  }));
  return { dues, durationMs: (lapTrackSeconds / config.speed) * 1000, nextRow };
}

/** Progress in track seconds at which each row is due, until the lap is full. */
function cut(fixes: readonly LocationFix[], firstRow: number, config: LapConfig) {
  const secondsMax = config.lapSecondsMax * config.speed;
  const moments: number[] = [];
  let progress = 0;
  let latest = fixes[firstRow]?.timestamp ?? 0;
  let previous = latest;
  for (let row = firstRow; row < fixes.length; row += 1) {
    const { timestamp } = fixes[row] as LocationFix;
    if (timestamp >= latest) progress += timestamp - latest;
    else progress += Math.min(Math.max(0, timestamp - previous), config.lateStepSecondsMax);
    if (progress > secondsMax && moments.length > 0) return { moments, nextRow: row };
    latest = Math.max(latest, timestamp);
    previous = timestamp;
    moments.push(progress);
  }
  return { moments, nextRow: 0 };
}

function shiftFix(fix: LocationFix, seconds: number): LocationFix {
  const shifted = { ...fix, timestamp: fix.timestamp + seconds };
  if (fix.telemetry === undefined) return shifted;
  const telemetry = { ...fix.telemetry, timestamp: fix.telemetry.timestamp + seconds };
  return { ...shifted, telemetry };
}
