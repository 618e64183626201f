import { describe, expect, it } from 'vitest';
import { changed, pairs, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const fix = { timestamp: 1764000000, country_id: 'BR', latitude: -23.5, longitude: -46.6 };
const sample: Json = { device_id: 'd1', post_timestamp: 1764000005, locations: [fix] };
const telemetry = { timestamp: 1764000000 };
const faults = validatorOf('LocationsBody');
const faultsAt = (path: string, value: unknown): string[] => faults(changed(sample, path, value));
const at0 = (name: string): string => `/locations/0/${name}`;
const withTelemetry = (more: Json): string[] =>
  faultsAt(at0('telemetry'), { ...telemetry, ...more });

const NUMBERS = [
  'odometer', 'speed', 'speed_accuracy', 'engine_rpm', 'engine_temperature', 'air_temperature',
  'acceleration_longitudinal', 'acceleration_lateral', 'fuel_quantity', 'fuel_level',
  'fuel_consumption', 'battery_level', 'battery_consumption', 'battery_health',
  'battery_temperature', 'battery_remaining',
];

describe('the body of a locations call', () => {
  it('is accepted with nothing but its mandatory fields', () => {
    expect(faults(sample)).toEqual([]);
  });

  it.each(['device_id', 'post_timestamp', 'locations'])('[LOC-02] needs %s', (name) => {
    expect(faultsAt(`/${name}`, undefined)).toEqual([`/${name} required`]);
  });

  it.each(['timestamp', 'country_id', 'latitude', 'longitude'])(
    '[LOC-03] needs %s in every location',
    (name) => {
      expect(faultsAt(at0(name), undefined)).toEqual([`${at0(name)} required`]);
    },
  );

  it.each([
    ['/post_timestamp', 1764000005.5],
    ['/post_timestamp', '1764000005'],
    [at0('timestamp'), 1764000000.5],
    [at0('timestamp'), null],
    [at0('latitude'), '-23.5'],
    [at0('longitude'), true],
    [at0('latitude'), Number.POSITIVE_INFINITY],
  ])('[LOC-04] refuses at %s the value %j of another type', (path, value) => {
    expect(faultsAt(path, value)).toEqual([`${path} type`]);
  });

  it.each(['altitude', 'accuracy', 'bearing', 'bearing_accuracy'])(
    '[LOC-05] takes %s as a number of whatever size and never as text',
    (name) => {
      expect(faultsAt(at0(name), -1.5)).toEqual([]);
      expect(faultsAt(at0(name), '1.5')).toEqual([`${at0(name)} type`]);
    },
  );

  it.each([
    [[{ name: 'door', value: 'open' }], []],
    [[{ name: '', value: '' }], []],
    [[{ name: 'door' }], ['/0/value required']],
    [[{ value: 'open' }], ['/0/name required']],
    [[{ name: 'door', value: 1 }], ['/0/value type']],
    [['door'], ['/0 type']],
  ])('[LOC-06] validates the pairs %j', (items, expected) => {
    const others = `${at0('telemetry')}/others`;
    const metadata = at0('metadata');
    expect(faultsAt(metadata, items)).toEqual(expected.map((fault) => `${metadata}${fault}`));
    expect(withTelemetry({ others: items })).toEqual(expected.map((fault) => `${others}${fault}`));
  });

  it('[LOC-07] takes 20 pairs and refuses 21', () => {
    expect(faultsAt(at0('metadata'), pairs(20))).toEqual([]);
    expect(faultsAt(at0('metadata'), pairs(21))).toEqual([`${at0('metadata')} maxItems`]);
    expect(withTelemetry({ others: pairs(20) })).toEqual([]);
    expect(withTelemetry({ others: pairs(21) })).toEqual([`${at0('telemetry')}/others maxItems`]);
  });

  it('[LOC-08] needs a timestamp in a telemetry, and no telemetry at all', () => {
    expect(faultsAt(at0('telemetry'), {})).toEqual([`${at0('telemetry')}/timestamp required`]);
    expect(faultsAt(at0('telemetry'), telemetry)).toEqual([]);
  });

  it('[LOC-09] takes every telemetry field at once', () => {
    const numbers = Object.fromEntries(NUMBERS.map((name, index) => [name, index - 3.5]));
    expect(withTelemetry({ ...numbers, ignition: false, direction: 'NE' })).toEqual([]);
  });

  it.each([
    ...NUMBERS.map((name) => [name, '1'] as const),
    ['timestamp', '1764000000'] as const,
    ['ignition', 'on'] as const,
    ['ignition', 1] as const,
    ['direction', 45] as const,
    ['others', {}] as const,
  ])('[LOC-10] refuses telemetry %s as %j', (name, value) => {
    expect(withTelemetry({ [name]: value })).toEqual([`${at0('telemetry')}/${name} type`]);
  });

  it.each(['fuel_level', 'battery_level', 'battery_health'])(
    '[LOC-11] [LOC-26] takes %s at both ends and beyond them',
    (name) => {
      for (const value of [0, 100, 50.5, -0.1, 100.1]) {
        expect(withTelemetry({ [name]: value })).toEqual([]);
      }
    },
  );

  it('[LOC-19] takes 1,000 locations and refuses 1,001 and none', () => {
    const many = (count: number): string[] =>
      faultsAt('/locations', Array.from({ length: count }, () => fix));
    expect(many(1000)).toEqual([]);
    expect(many(1001)).toEqual(['/locations maxItems']);
    expect(many(0)).toEqual(['/locations minItems']);
  });

  it('[LOC-20] names every faulty place of a body', () => {
    const locations = [{ ...fix, latitude: 91 }, fix, { ...fix, timestamp: 'x' }];
    expect(faultsAt('/locations', locations)).toEqual([
      '/locations/0/latitude maximum',
      '/locations/2/timestamp type',
    ]);
  });

  it.each([
    ['latitude', 90, 'maximum'],
    ['latitude', -90, 'minimum'],
    ['longitude', 180, 'maximum'],
    ['longitude', -180, 'minimum'],
  ])('[LOC-25] takes %s %d and nothing beyond', (name, end, keyword) => {
    expect(faultsAt(at0(name), end)).toEqual([]);
    const beyond = end + Math.sign(end) * 1e-9;
    expect(faultsAt(at0(name), beyond)).toEqual([`${at0(name)} ${keyword}`]);
  });

  it('[LOC-27] takes a fraction in the telemetry time', () => {
    expect(withTelemetry({ timestamp: 1764000000.125 })).toEqual([]);
  });

  it.each([
    ['AR', []],
    ['ZZ', []],
    ['br', []],
    ['bRa', []],
    ['B', ['pattern']],
    ['BRAZ', ['pattern']],
    ['B1', ['pattern']],
    ['ſs', ['pattern']],
    ['', ['pattern']],
    [55, ['type']],
  ])('[LOC-28] validates the country %j of a location by its form only', (value, expected) => {
    const path = at0('country_id');
    expect(faultsAt(path, value)).toEqual(expected.map((keyword) => `${path} ${keyword}`));
  });
});

describe('what all bodies share, on a locations call', () => {
  it('[GEN-15] refuses a top-level m, and only there', () => {
    expect(faults({ ...sample, m: 1 })).toEqual([' not']);
    expect(faultsAt(at0('m'), 1)).toEqual([]);
  });

  it('[GEN-32] accepts unknown fields at every level', () => {
    expect(faults({ ...sample, extra: { deep: [1] } })).toEqual([]);
    expect(faultsAt(at0('extra'), null)).toEqual([]);
    expect(withTelemetry({ extra: 'x' })).toEqual([]);
  });

  it('[GEN-23] takes ids of 1 to 255 characters, counted as code points', () => {
    expect(faultsAt('/device_id', 'd'.repeat(255))).toEqual([]);
    expect(faultsAt('/device_id', '\u{1F69A}'.repeat(255))).toEqual([]);
    expect(faultsAt('/device_id', 'd'.repeat(256))).toEqual(['/device_id maxLength']);
    expect(faultsAt('/device_id', '')).toEqual(['/device_id minLength']);
  });

  it('[GEN-23] takes names of 255 and texts of 2,048 characters', () => {
    const pair = (name: number, value: number): string[] =>
      faultsAt(at0('metadata'), [{ name: 'n'.repeat(name), value: 'v'.repeat(value) }]);
    expect(pair(255, 2048)).toEqual([]);
    expect(pair(256, 2048)).toEqual([`${at0('metadata')}/0/name maxLength`]);
    expect(pair(255, 2049)).toEqual([`${at0('metadata')}/0/value maxLength`]);
    expect(withTelemetry({ direction: 'n'.repeat(255) })).toEqual([]);
    expect(withTelemetry({ direction: 'n'.repeat(256) })).toEqual([
      `${at0('telemetry')}/direction maxLength`,
    ]);
  });

  it.each(['/post_timestamp', at0('timestamp')])(
    '[GEN-27] takes %s of any second from 1970 to 9999',
    (path) => {
      const last = Date.UTC(10_000, 0, 1) / 1000 - 1;
      expect(faultsAt(path, 0)).toEqual([]);
      expect(faultsAt(path, last)).toEqual([]);
      expect(faultsAt(path, -1)).toEqual([`${path} minimum`]);
      expect(faultsAt(path, last + 1)).toEqual([`${path} maximum`]);
      expect(faultsAt(path, 1764000000000)).toEqual([`${path} maximum`]);
    },
  );

  it('[GEN-27] holds the telemetry time to the same range', () => {
    const path = `${at0('telemetry')}/timestamp`;
    expect(withTelemetry({ timestamp: -0.001 })).toEqual([`${path} minimum`]);
    expect(withTelemetry({ timestamp: 0 })).toEqual([]);
    expect(withTelemetry({ timestamp: 253402300799 })).toEqual([]);
    expect(withTelemetry({ timestamp: 253402300799.001 })).toEqual([`${path} maximum`]);
  });

  it.each([[null], [[]], ['x'], [1], [true]])('[GEN-13] refuses %j as a body', (value) => {
    expect(faults(value)).toEqual([' type']);
  });
});
