import { FUTURE_TOLERANCE_SECONDS } from './limits.ts';
import { isFields, isFiniteNumber, isWhole, type Fields } from './json-fields.ts';

/** Which fixes may become a last position. */
export interface FixConfig {
  /** A fix older than this at its receipt is history only; the retention of the tables. */
  readonly fixAgeSecondsMax: number;
}

/** Fixes older at their receipt are outliers in the tables (400 days) and never a last fix. */
export const LAST_FIX_LIMITS: FixConfig = { fixAgeSecondsMax: 400 * 86_400 };

/** A fix as far as a last position needs it; `rest` is the whole of it. */
export interface Fix {
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly rest: Fields;
}

/** The fix in an item of a post; undefined when it is none. */
export function readFix(item: unknown): Fix | undefined {
  if (!isFields(item)) return undefined;
  const { timestamp, latitude, longitude } = item;
  if (!isWhole(timestamp) || !isFiniteNumber(latitude) || !isFiniteNumber(longitude)) {
    return undefined;
  }
  return { timestamp, latitude, longitude, rest: item };
}

/**
 * Neither ahead of its receipt (decisions.md, Time ranges), nor older than what is kept, nor at
 * 0,0: that is what a receiver without a fix reports, in the sea, and would hide the real place.
 */
export function isPlausible(
  config: FixConfig, fix: Fix, receivedAtSeconds: number,
): boolean {
  if (fix.timestamp > receivedAtSeconds + FUTURE_TOLERANCE_SECONDS) return false;
  if (fix.timestamp < receivedAtSeconds - config.fixAgeSecondsMax) return false;
  return fix.latitude !== 0 || fix.longitude !== 0;
}
