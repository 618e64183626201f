import { isFiniteNumber, isText, valueAt } from '../../kernel/json-fields.ts';
import type { Warn } from './collect.ts';
import type { BodyItem } from './items.ts';

/** The least and the greatest number that a member may mean, with its unit. */
const RANGES: readonly (readonly [pointer: string, least: number, most: number, unit: string])[] = [
  ['/bearing', 0, 360, 'degrees from north, 0 to 360'],
  ['/accuracy', 0, Infinity, 'meters, not below 0'],
  ['/bearing_accuracy', 0, 360, 'degrees, 0 to 360'],
  ['/telemetry/speed', 0, 400, 'kilometers per hour, 0 to 400'],
  ['/telemetry/odometer', 0, Infinity, 'kilometers, not below 0'],
  ['/telemetry/engine_rpm', 0, 30_000, 'revolutions per minute, 0 to 30,000'],
  ['/telemetry/fuel_level', 0, 100, 'percent, 0 to 100'],
  ['/telemetry/battery_level', 0, 100, 'percent, 0 to 100'],
  ['/telemetry/battery_health', 0, 100, 'percent, 0 to 100'],
];

/** Numbers that are outside of what their unit allows. */
export function warnOfValues(items: readonly BodyItem[], warn: Warn): void {
  for (const { pointer, fields } of items) {
    for (const [member, least, most, unit] of RANGES) {
      const value = valueAt(fields, member);
      if (!isFiniteNumber(value) || (value >= least && value <= most)) continue;
      warn(pointer + member, 'implausible_value', `is outside of its range: ${unit}.`);
    }
  }
}

/** Codes of notifications that the interface does not list. */
export function warnOfCodes(
  items: readonly BodyItem[], isKnown: (code: string) => boolean, warn: Warn,
): void {
  for (const { pointer, fields: { code } } of items) {
    if (!isText(code) || isKnown(code)) continue;
    warn(`${pointer}/code`, 'unknown_code',
      'is none of the codes of the interface; where the deployment does not know it, it changes no status.');
  }
}
