import { createHash } from 'node:crypto';
import type { LocationFix } from '../../../schemas/generated/types.ts';

/** A name and value pair of `metadata`. */
interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * What distinguishes stored locations: device, time, place and every column that the table
 * of locations has of its content. Numbers may come with the precision of the store (32-bit
 * floats); `null` and a missing field are the same.
 */
export interface StoredLocation {
  readonly device_id: string;
  /** UTC seconds since epoch. */
  readonly timestamp: number;
  /** Degrees times 10^7, whole. */
  readonly lat_e7: number;
  readonly lon_e7: number;
  readonly country_id: string;
  readonly altitude?: number | null;
  readonly accuracy?: number | null;
  readonly bearing?: number | null;
  readonly bearing_accuracy?: number | null;
  /** Of the telemetry of the fix, as are the next two. */
  readonly speed?: number | null;
  readonly ignition?: boolean | null;
  readonly odometer?: number | null;
  readonly metadata?: readonly Pair[] | Readonly<Record<string, string>> | null;
}

/** Identity of a stored row: 22 characters, equal for equal facts (decisions, Duplicates). */
export function identityOfStored(row: StoredLocation): string {
  const text = [
    row.device_id, row.timestamp, row.lat_e7, row.lon_e7, row.country_id,
    float(row.altitude), float(row.accuracy), float(row.bearing), float(row.bearing_accuracy),
    float(row.speed), row.ignition ?? '', row.odometer ?? '', pairs(row.metadata),
  ].join('|');
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

/** Identity of a location as it is sent, equal to that of its row. */
export function identityOfSent(device_id: string, fix: LocationFix): string {
  return identityOfStored({
    device_id,
    timestamp: fix.timestamp,
    lat_e7: Math.round(fix.latitude * 1e7),
    lon_e7: Math.round(fix.longitude * 1e7),
    country_id: fix.country_id,
    altitude: fix.altitude ?? null,
    accuracy: fix.accuracy ?? null,
    bearing: fix.bearing ?? null,
    bearing_accuracy: fix.bearing_accuracy ?? null,
    speed: fix.telemetry?.speed ?? null,
    ignition: fix.telemetry?.ignition ?? null,
    odometer: fix.telemetry?.odometer ?? null,
    metadata: fix.metadata ?? null,
  });
}

function float(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(Math.fround(value));
}

function pairs(metadata: StoredLocation['metadata']): string {
  if (metadata === null || metadata === undefined) return '';
  const list = Array.isArray(metadata)
    ? (metadata as readonly Pair[]).map((pair) => [pair.name, pair.value])
    : Object.entries(metadata);
  return list.length === 0 ? '' : JSON.stringify(list.toSorted(byText));
}

function byText(left: readonly unknown[], right: readonly unknown[]): number {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return a < b ? -1 : Number(a > b);
}
