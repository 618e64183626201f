import { isFields, isFiniteNumber } from '../../kernel/json-fields.ts';
import type { Warn } from './collect.ts';
import type { BodyItem } from './items.ts';

interface Point {
  readonly item: BodyItem;
  readonly seconds: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
}

const KMH_PER_MS = 3.6;
/** What a ratio may differ from 3.6, or from a 3.6th: a road is longer than the straight line. */
const SLACK = 1.25;
const PAIRS_MIN = 3;
/** Between fixes that are further apart the way is not known; of slow ones the speed is not. */
const PAIR_SECONDS_MAX = 300;
const PAIR_KMH_MIN = 15;
const EARTH_METERS = 6_371_000;

/** Speeds that are 3.6 times what the positions say, or a 3.6th of it, by the median of pairs. */
export function warnOfSpeedUnit(items: readonly BodyItem[], warn: Warn): void {
  const points = items.flatMap(pointOf).toSorted((one, other) => one.seconds - other.seconds);
  const ratios = points.flatMap((point, at) => {
    const before = points[at - 1];
    return before === undefined ? [] : ratioOf(before, point);
  }).toSorted((one, other) => one - other);
  const median = ratios[Math.floor(ratios.length / 2)];
  const [first] = points;
  if (ratios.length < PAIRS_MIN || median === undefined || first === undefined) return;
  const at = `${first.item.pointer}/telemetry/speed`;
  if (isNear(median, 1 / KMH_PER_MS)) {
    warn(at, 'speed_unit', 'speeds are about a 3.6th of what the positions say: they may be in meters per'
      + ' second. Send kilometers per hour.');
  } else if (isNear(median, KMH_PER_MS)) {
    warn(at, 'speed_unit', 'speeds are about 3.6 times what the positions say: they may have been converted'
      + ' twice. Send kilometers per hour.');
  }
}

function isNear(ratio: number, wanted: number): boolean {
  return ratio > wanted / SLACK && ratio < wanted * SLACK;
}

function pointOf(item: BodyItem): readonly Point[] {
  const { latitude, longitude, telemetry } = item.fields;
  const speed = isFields(telemetry) ? telemetry['speed'] : undefined;
  const { seconds } = item;
  if (seconds === undefined || !isFiniteNumber(latitude) || !isFiniteNumber(longitude)
    || !isFiniteNumber(speed) || speed < 0 || (latitude === 0 && longitude === 0)) return [];
  return [{ item, seconds, latitude, longitude, speed }];
}

function ratioOf(before: Point, after: Point): readonly number[] {
  const seconds = after.seconds - before.seconds;
  if (seconds < 1 || seconds > PAIR_SECONDS_MAX) return [];
  const moved = metersBetween(before, after) / seconds * KMH_PER_MS;
  return moved < PAIR_KMH_MIN ? [] : [(before.speed + after.speed) / 2 / moved];
}

function metersBetween(one: Point, other: Point): number {
  const radians = (degrees: number): number => degrees * Math.PI / 180;
  const height = radians(other.latitude - one.latitude);
  const width = radians(other.longitude - one.longitude);
  const half = Math.sin(height / 2) ** 2
    + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude))
      * Math.sin(width / 2) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.sqrt(half));
}
