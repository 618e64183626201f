import type { Dice } from '../../faults/dice.ts';

const WORDS = ['satellites', 'hdop', 'source', 'Fahrer', 'camión', 'дверь', '貨物', '🚚', 'a b', ''];
const NUMBERS = [
  'altitude', 'accuracy', 'bearing', 'bearing_accuracy',
] as const;
const TELEMETRY = [
  'odometer', 'speed', 'speed_accuracy', 'engine_rpm', 'engine_temperature', 'air_temperature',
  'acceleration_longitudinal', 'acceleration_lateral', 'fuel_quantity', 'fuel_level',
  'fuel_consumption', 'battery_level', 'battery_consumption', 'battery_health',
  'battery_temperature', 'battery_remaining',
] as const;
const COUNTRIES = ['DE', 'BR', 'AR', 'US', 'ZZ', 'br', 'Br', 'BRA', 'bra', 'uRy'];

/** A body that the exact path accepts, and of a kind that the scanner is there for. */
export function goodBody(dice: Dice): Buffer {
  const seconds = 1_764_000_000 + dice.between(0, 10_000_000);
  const locations = Array.from(
    { length: dice.chance(0.7) ? 1 : dice.between(2, 3) }, (_, at) => location(dice, seconds + at),
  );
  const device_id = `6f1c2d3e-4b5a-5c6d-8e7f-${String(dice.between(1e11, 9e11))}`;
  return spelled(dice, shuffled(dice, { device_id, post_timestamp: seconds + 5, locations }));
}

/** A body of recorded fixes, as a provider would send it. */
export function recordedBody(dice: Dice, fixes: readonly object[]): Buffer {
  const first = dice.between(0, fixes.length - 1);
  const locations = fixes.slice(first, first + dice.between(1, 3));
  return spelled(dice, { device_id: 'recorded-1', post_timestamp: 1_764_000_005, locations });
}

function location(dice: Dice, timestamp: number): object {
  const fix: Record<string, unknown> = {
    timestamp, country_id: dice.pick(COUNTRIES),
    latitude: decimal(dice, 90), longitude: decimal(dice, 180),
  };
  for (const name of NUMBERS) if (dice.chance(0.4)) fix[name] = decimal(dice, 5_000);
  if (dice.chance(0.3)) fix['metadata'] = pairs(dice);
  if (dice.chance(0.5)) fix['telemetry'] = telemetry(dice, timestamp);
  return shuffled(dice, withNulls(dice, fix, [...NUMBERS, 'metadata', 'telemetry']));
}

function telemetry(dice: Dice, seconds: number): object {
  const said: Record<string, unknown> = {
    timestamp: dice.chance(0.5) ? seconds : seconds + dice.between(1, 999) / 1_000,
  };
  if (dice.chance(0.5)) said['ignition'] = dice.chance(0.5);
  for (const name of TELEMETRY) if (dice.chance(0.25)) said[name] = decimal(dice, 200_000);
  if (dice.chance(0.3)) said['direction'] = dice.pick(WORDS);
  if (dice.chance(0.2)) said['others'] = pairs(dice);
  return shuffled(dice, withNulls(dice, said, [...TELEMETRY, 'ignition', 'direction', 'others']));
}

/** As serializers write an object of which some members have no value. */
function withNulls(dice: Dice, value: object, names: readonly string[]): object {
  if (dice.chance(0.8)) return value;
  const all = { ...Object.fromEntries(names.map((name) => [name, null])), ...value };
  const some = Object.entries(all).filter(([, member]) => member !== null || dice.chance(0.5));
  return dice.chance(0.5) ? all : Object.fromEntries(some);
}

/** Mostly as devices write them, with few digits; sometimes with all that a float has. */
function decimal(dice: Dice, most: number): number {
  const value = (dice.next() * 2 - 1) * most;
  if (dice.chance(0.15)) return Math.abs(value) < 1e-3 ? 0.5 : value;
  const written = Number(value.toFixed(dice.pick([0, 1, 2, 6, 7])));
  return Object.is(written, -0) || Math.abs(written) < 1e-6 ? 0 : written;
}

function pairs(dice: Dice): object[] {
  return Array.from({ length: dice.between(0, 3) }, () => ({
    name: dice.pick(WORDS), value: dice.pick(WORDS),
  }));
}

function shuffled<Value extends object>(dice: Dice, value: Value): Value {
  if (dice.chance(0.8)) return value;
  const keyed = Object.entries(value).map((entry) => [dice.next(), entry] as const);
  keyed.sort(([one], [other]) => one - other);
  return Object.fromEntries(keyed.map(([, entry]) => entry)) as Value;
}

/** Compact, as Python writes it, or for people to read. */
function spelled(dice: Dice, value: object): Buffer {
  if (dice.chance(0.7)) return Buffer.from(JSON.stringify(value));
  if (dice.chance(0.5)) return Buffer.from(JSON.stringify(value, null, dice.pick([1, 2, '\t'])));
  return Buffer.from(JSON.stringify(value).replaceAll(',"', ', "').replaceAll('":', '": '));
}
