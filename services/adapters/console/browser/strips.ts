import type { DeviceTrack, TrackFix, TrackReading } from '../../../../schemas/generated/types.ts';
import { TEXTS } from './texts.ts';

/** A value at a time, seconds since epoch. */
export interface StripPoint {
  readonly at: number;
  readonly value: number;
  /** True where nothing is known between it and the point before. */
  readonly isApart: boolean;
}

/** One strip below the map: a value over the time of the track. */
export interface Strip {
  readonly name: StripName;
  readonly points: readonly StripPoint[];
  readonly min: number;
  readonly max: number;
}

/** What strips can show as a line. */
export type StripName = keyof typeof TEXTS.strips;

/** Readings further apart say nothing of the time between, as in a gap of fixes. */
const APART_SECONDS = 900;
/** Strips are drawn on a sheet of this size, which is stretched to that of the window. */
export const SHEET = { width: 1_000, height: 50 } as const;

const READINGS = [
  'fuel_level', 'fuel_quantity', 'engine_rpm', 'engine_temperature', 'air_temperature',
  'battery_level', 'battery_temperature',
] as const satisfies readonly (keyof TrackReading & StripName)[];

/** The strips that the track has values for, in their order. */
export function stripsOf({ fixes, readings }: DeviceTrack): readonly Strip[] {
  return [
    stripOf('speed', speedsOf(fixes)),
    ...READINGS.map((name) => stripOf(name, valuesOf(readings, name))),
  ].filter(({ points }) => points.length > 0);
}

function speedsOf(fixes: readonly TrackFix[]): readonly StripPoint[] {
  let isApart = false;
  return fixes.flatMap(({ timestamp: at, speed: value, gap_seconds: gap }) => {
    isApart ||= gap !== undefined;
    if (value === undefined) return [];
    const point = { at, value, isApart };
    isApart = false;
    return [point];
  });
}

function valuesOf(
  readings: readonly TrackReading[], name: (typeof READINGS)[number],
): readonly StripPoint[] {
  let before = -Infinity;
  return readings.flatMap(({ timestamp: at, [name]: value }) => {
    if (value === undefined) return [];
    const isApart = at - before > APART_SECONDS;
    before = at;
    return [{ at, value, isApart }];
  });
}

function stripOf(name: StripName, points: readonly StripPoint[]): Strip {
  const values = points.map(({ value }) => value);
  const min = Math.min(0, ...values);
  return { name, points, min, max: Math.max(min + 1, ...values) };
}

/** Where a time is on the sheet, from left to right. */
export function xOf(seconds: number, { since, until }: Pick<DeviceTrack, 'since' | 'until'>): number {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return ((seconds * 1_000 - from) / (to - from)) * SHEET.width;
}

/** The line of a strip on the sheet, as the path of an SVG. */
export function lineOf(
  { points, min, max }: Strip, track: Pick<DeviceTrack, 'since' | 'until'>,
): string {
  return points.map(({ at, value, isApart }, index) => {
    const y = SHEET.height * (1 - (value - min) / (max - min));
    return `${index === 0 || isApart ? 'M' : 'L'}${xOf(at, track).toFixed(1)} ${y.toFixed(1)}`;
  }).join('');
}

/** When the ignition was on: from a fix that says so to the next fix, but not through a gap. */
export function ignitionOf(
  fixes: readonly TrackFix[],
): readonly { readonly from: number; readonly to: number }[] {
  return fixes.flatMap(({ timestamp: from, ignition }, index) => {
    const next = fixes[index + 1];
    return ignition !== true || next === undefined || next.gap_seconds !== undefined
      ? [] : [{ from, to: next.timestamp }];
  });
}

/** The value of a strip at a time: the last one, unless it is long past. */
export function valueAt({ points }: Strip, seconds: number): number | undefined {
  const last = points.findLast(({ at }) => at < seconds + 1);
  return last === undefined || seconds - last.at > APART_SECONDS ? undefined : last.value;
}
