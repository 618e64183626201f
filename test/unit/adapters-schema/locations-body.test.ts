import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { locationsBody } from '../../support/edge.ts';

const check = loadSchemas().checkOf('LocationsBody');

function faultsOf(body: unknown): string[] | undefined {
  const refusal = check(body)?.();
  return refusal?.errors?.map((fault) => `${fault.pointer} ${fault.code}`);
}

/** A body whose first location has this and that in it, or has it not (`undefined`). */
function withFix(changes: Readonly<Record<string, unknown>>): unknown {
  const body = locationsBody(1);
  return { ...body, locations: [clean({ ...body.locations[0], ...changes })] };
}

function clean(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}

const TELEMETRY_NUMBERS = [
  'odometer', 'speed', 'speed_accuracy', 'engine_rpm', 'engine_temperature', 'air_temperature',
  'acceleration_longitudinal', 'acceleration_lateral', 'fuel_quantity', 'fuel_level',
  'fuel_consumption', 'battery_level', 'battery_consumption', 'battery_health',
  'battery_temperature', 'battery_remaining',
];
const pairs = (count: number): unknown[] => Array.from({ length: count }, (_, at) =>
  ({ name: `n${at}`, value: 'v' }));

describe('the body of send locations', () => {
  it.each(['device_id', 'post_timestamp', 'locations'])('[LOC-02] needs %s', (field) => {
    expect(faultsOf(clean({ ...locationsBody(), [field]: undefined })))
      .toEqual([`/${field} required`]);
  });

  it.each(['timestamp', 'country_id', 'latitude', 'longitude'])(
    '[LOC-03] needs %s in every location', (field) => {
      expect(faultsOf(withFix({ [field]: undefined }))).toEqual([`/locations/0/${field} required`]);
    },
  );

  it.each([
    [{ timestamp: '1764000000' }], [{ timestamp: 1764000000.5 }], [{ timestamp: null }],
    [{ latitude: '1' }], [{ longitude: true }], [{ country_id: 55 }], [{ latitude: null }],
  ])('[LOC-04] refuses a location with %j', (changes) => {
    const [field = ''] = Object.keys(changes);
    expect(faultsOf(withFix(changes))).toEqual([`/locations/0/${field} type`]);
  });

  it('[LOC-04] refuses a post_timestamp that is a text or a fraction', () => {
    expect(faultsOf({ ...locationsBody(), post_timestamp: '1' })).toEqual(['/post_timestamp type']);
    expect(faultsOf({ ...locationsBody(), post_timestamp: 1764000000.1 }))
      .toEqual(['/post_timestamp type']);
  });

  it('[LOC-05] takes the optional fields of a location, each a number', () => {
    const optional = { altitude: -3.5, accuracy: 0, bearing: 359.9, bearing_accuracy: 1 };
    expect(faultsOf(withFix(optional))).toBeUndefined();
    for (const field of Object.keys(optional)) {
      expect(faultsOf(withFix({ [field]: 'x' }))).toEqual([`/locations/0/${field} type`]);
    }
  });

  it('[LOC-06] needs name and value, both texts, in metadata and in telemetry.others', () => {
    for (const [item, fault] of [
      [{ value: 'v' }, 'name required'], [{ name: 'n' }, 'value required'],
      [{ name: 1, value: 'v' }, 'name type'], [{ name: 'n', value: 2 }, 'value type'],
    ] as const) {
      expect(faultsOf(withFix({ metadata: [item] }))).toEqual([`/locations/0/metadata/0/${fault}`]);
      expect(faultsOf(withFix({ telemetry: { timestamp: 1_764_000_000, others: [item] } })))
        .toEqual([`/locations/0/telemetry/others/0/${fault}`]);
    }
  });

  it('[LOC-07] takes 20 items of metadata and of telemetry.others, and refuses 21', () => {
    const telemetry = (count: number): unknown =>
      ({ timestamp: 1_764_000_000, others: pairs(count) });
    expect(faultsOf(withFix({ metadata: pairs(20), telemetry: telemetry(20) }))).toBeUndefined();
    expect(faultsOf(withFix({ metadata: pairs(21) }))).toEqual(['/locations/0/metadata max_items']);
    expect(faultsOf(withFix({ telemetry: telemetry(21) })))
      .toEqual(['/locations/0/telemetry/others max_items']);
  });

  it('[LOC-08] needs a timestamp in telemetry', () => {
    expect(faultsOf(withFix({ telemetry: {} }))).toEqual([
      '/locations/0/telemetry/timestamp required',
    ]);
  });

  it('[LOC-09] takes every optional field of telemetry', () => {
    const numbers = Object.fromEntries(TELEMETRY_NUMBERS.map((name) => [name, 12.5]));
    const telemetry = {
      timestamp: 1_764_000_000.25, ignition: false, direction: 'NE', others: pairs(1), ...numbers,
    };
    expect(faultsOf(withFix({ telemetry }))).toBeUndefined();
  });

  it.each([...TELEMETRY_NUMBERS, 'ignition', 'direction', 'others', 'timestamp'])(
    '[LOC-10] refuses telemetry.%s of another type', (field) => {
      expect(faultsOf(withFix({ telemetry: { timestamp: 1_764_000_000, [field]: {} } })))
        .toEqual([`/locations/0/telemetry/${field} type`]);
    },
  );

  it.each(['fuel_level', 'battery_level', 'battery_health'])(
    '[LOC-11] takes every %s from 0 to 100, and does not check others', (field) => {
      for (const percent of [0, 0.001, 50, 99.999, 100, -1, 101]) {
        expect(faultsOf(withFix({ telemetry: { timestamp: 1_764_000_000, [field]: percent } })))
          .toBeUndefined();
      }
    },
  );

  it('[LOC-19] takes 1,000 locations and refuses 1,001 as too large', () => {
    expect(check(locationsBody(1_000))).toBeUndefined();
    expect(check(locationsBody(1_001))?.()).toMatchObject({
      code: 'payload_too_large', errors: [{ pointer: '/locations', code: 'max_items' }],
    });
    expect(faultsOf(locationsBody(0))).toEqual(['/locations min_items']);
  });

  it('[LOC-20] lists every faulty place, at most 50 of them, in the order of the body', () => {
    const body = locationsBody(1_000);
    const invalid = [3, 40, 41, 999];
    for (const at of invalid) body.locations[at] = { ...body.locations[at], latitude: 91 };
    expect(faultsOf(body)).toEqual(invalid.map((at) => `/locations/${at}/latitude maximum`));
    const all = locationsBody(1_000);
    for (const fix of all.locations) fix['latitude'] = 'x';
    expect(faultsOf(all)).toEqual(
      Array.from({ length: 50 }, (_, at) => `/locations/${at}/latitude type`),
    );
  });

  it.each([
    ['latitude', 90, 90.000001, 'maximum'], ['latitude', -90, -90.000001, 'minimum'],
    ['longitude', 180, 180.000001, 'maximum'], ['longitude', -180, -180.000001, 'minimum'],
  ])('[LOC-25] takes a %s of %d and refuses %d', (field, good, bad, code) => {
    expect(faultsOf(withFix({ [field]: good }))).toBeUndefined();
    expect(faultsOf(withFix({ [field]: bad }))).toEqual([`/locations/0/${field} ${code}`]);
  });

  it('[LOC-26] does not refuse a percentage outside 0 to 100', () => {
    const telemetry = { timestamp: 1_764_000_000, fuel_level: 250, battery_level: -3 };
    expect(faultsOf(withFix({ telemetry }))).toBeUndefined();
  });

  it('[LOC-28] takes any country in a location', () => {
    expect(faultsOf(withFix({ country_id: 'UY' }))).toBeUndefined();
    for (const country_id of ['uy', 'URY', 'ury']) {
      expect(faultsOf(withFix({ country_id }))).toBeUndefined();
    }
    expect(faultsOf(withFix({ country_id: 'U1' }))).toEqual(['/locations/0/country_id pattern']);
  });

  it('[GEN-15] refuses a top-level m by its own code, and takes an m further down', () => {
    expect(check({ ...locationsBody(), m: {} })?.()).toMatchObject({
      code: 'reserved_name', errors: [{ pointer: '/m', code: 'reserved_name' }],
    });
    expect(faultsOf(withFix({ m: 1 }))).toBeUndefined();
  });

  it('[GEN-23] takes an id of 255 characters and a text of 2,048, and refuses longer ones', () => {
    expect(faultsOf({ ...locationsBody(), device_id: '😀'.repeat(255) })).toBeUndefined();
    expect(faultsOf({ ...locationsBody(), device_id: '😀'.repeat(256) }))
      .toEqual(['/device_id max_length']);
    const pair = (name: number, value: number): unknown =>
      withFix({ metadata: [{ name: 'n'.repeat(name), value: 'v'.repeat(value) }] });
    expect(faultsOf(pair(255, 2_048))).toBeUndefined();
    expect(faultsOf(pair(256, 2_048))).toEqual(['/locations/0/metadata/0/name max_length']);
    expect(faultsOf(pair(255, 2_049))).toEqual(['/locations/0/metadata/0/value max_length']);
  });

  it.each([
    [-1, 'minimum'], [0, undefined], [4_294_967_296, undefined], [253_402_300_799, undefined],
    [253_402_300_800, 'maximum'],
  ])('[GEN-27] classifies the epoch time %d: %s', (timestamp, code) => {
    expect(faultsOf(withFix({ timestamp })))
      .toEqual(code === undefined ? undefined : [`/locations/0/timestamp ${code}`]);
  });

  it('[GEN-27] says so when a time looks like milliseconds', () => {
    const refusal = check(withFix({ timestamp: 1_764_000_000_000 }))?.();
    expect(refusal?.errors?.[0]?.message)
      .toBe('looks like milliseconds; send seconds since 1970.');
  });

  it('[GEN-32] takes unknown fields at every level', () => {
    expect(faultsOf({ ...locationsBody(), future: { deep: [1] } })).toBeUndefined();
    expect(faultsOf(withFix({ satellites: 9, metadata: [{ name: 'a', value: 'b', c: 1 }] })))
      .toBeUndefined();
  });

  it.each([[null], [[]], ['text'], [5], [{}]])('refuses %j', (body) => {
    expect(check(body)?.().code).toBe('validation_failed');
  });
});
