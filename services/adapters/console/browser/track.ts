import type { DeviceTrack, TrackFix } from '../../../../schemas/generated/types.ts';
import { ask, type GatewayReply } from './ask.ts';

const DAY_MS = 86_400_000;

/** A time without a fix; seconds since epoch. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** How a device drove to a fix, by the speed that it reported. */
export type Drive = 'standing' | 'slow' | 'road' | 'fast' | 'unknown';

/** A leg of the way that is drawn alike, as longitudes and latitudes. */
export interface Leg {
  readonly drive: Drive | 'gap';
  readonly way: [number, number][];
}

/** The slowest speeds of the last three, kilometers per hour. */
const FROM_KMH = { slow: 5, road: 50, fast: 90 } as const;

/** The call for the track of a day, from its first millisecond in UTC. */
export function trackAddress(address: string, dayMs: number): string {
  const query = new URLSearchParams({
    since: new Date(dayMs).toISOString(), until: new Date(dayMs + DAY_MS).toISOString(),
  });
  return `${address}&${query.toString()}`;
}

/** Asks for the track of a day. */
export function loadTrack(
  address: string, leaving: AbortSignal,
): Promise<GatewayReply<DeviceTrack>> {
  return ask<DeviceTrack>(address, { signal: leaving });
}

/** The gaps of a track, in their order. */
export function gapsOf(fixes: readonly TrackFix[]): readonly Gap[] {
  return fixes.flatMap(({ timestamp, gap_seconds: seconds }) => (
    seconds === undefined ? [] : [{ from: timestamp - seconds, to: timestamp }]));
}

/** The index of the fix that is nearest to a time in seconds; -1 where there is none. */
export function nearestFix(fixes: readonly TrackFix[], seconds: number): number {
  let low = 0;
  let high = fixes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fixes[middle]?.timestamp ?? 0) < seconds) low = middle + 1;
    else high = middle;
  }
  const after = fixes[low]?.timestamp ?? Infinity;
  const before = fixes[low - 1]?.timestamp ?? -Infinity;
  return seconds - before <= after - seconds ? low - 1 : low;
}

/** How a device drove, by a speed in kilometers per hour. */
export function driveOf(speed: number | undefined): Drive {
  if (speed === undefined) return 'unknown';
  if (speed < FROM_KMH.slow) return 'standing';
  if (speed < FROM_KMH.road) return 'slow';
  return speed < FROM_KMH.fast ? 'road' : 'fast';
}

/**
 * The way in legs of the same drive. A fix at 0,0 is no place, so it is left out; a way over
 * the 180th meridian goes on beyond it.
 */
export function legsOf(fixes: readonly TrackFix[]): readonly Leg[] {
  const legs: Leg[] = [];
  let last: [number, number] | undefined;
  let isAfterGap = false;
  for (const { longitude, latitude, speed, gap_seconds: gap, flags } of fixes) {
    isAfterGap ||= gap !== undefined;
    if (flags.includes('zero_position')) continue;
    const spot: [number, number] = [beside(last?.[0], longitude), latitude];
    const drive = isAfterGap && last !== undefined ? 'gap' : driveOf(speed);
    const leg = legs.at(-1);
    if (leg?.drive === drive) leg.way.push(spot);
    else legs.push({ drive, way: last === undefined ? [spot] : [last, spot] });
    last = spot;
    isAfterGap = false;
  }
  return legs;
}

/** The same longitude, at most half way around the earth from another. */
export function beside(other: number | undefined, longitude: number): number {
  return other === undefined ? longitude : longitude + 360 * Math.round((other - longitude) / 360);
}
