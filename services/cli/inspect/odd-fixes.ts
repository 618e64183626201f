import type { DeviceId } from '../../kernel/ids.ts';
import type { OddFixes } from '../../kernel/odd-fixes.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import { isoOf } from './facts.ts';

/** A fix may be a day ahead of its receipt before it is an outlier. */
const AHEAD_MS = 86_400_000;
const SHOWN_MAX = 10;

/**
 * The newest odd fixes of a device, each with the record that brought it; null while nothing is
 * known of them: without the tables, or when these do not answer.
 */
export async function oddFixesOf(
  oddFixes: OddFixes | undefined, deviceId: DeviceId, sinceMs: number, nowMs: number,
): Promise<readonly object[] | null> {
  if (oddFixes === undefined) return null;
  try {
    const found = await oddFixes.newest(deviceId, sinceMs, nowMs + AHEAD_MS, SHOWN_MAX);
    return found.map(({ kind, at_ms, received_at_ms, ...fix }) => (
      { kind, at: isoOf(at_ms), received_at: isoOf(received_at_ms), ...fix }
    ));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return null;
  }
}
