import { describe, expect, it } from 'vitest';
import { findWarnings } from '../../../services/domain/warnings/find-warnings.ts';
import type { NameTree, TakenBody, WarningFacts } from '../../../services/kernel/warnings.ts';

const NOW = 1_764_000_000;
const FACTS: WarningFacts = {
  names: undefined,
  boxesOf: (id) => (id === 'XA' ? [[10, 40, 20, 50], [-5, -5, -4, -4]] : []),
  isKnownCode: (code) => code === 'K',
};

const found = (
  body: unknown, wishes: Partial<TakenBody> = {}, facts: Partial<WarningFacts> = {},
): readonly string[] => findWarnings(
  { operation: 'send-locations', body, countryId: undefined, nowMs: NOW * 1_000, ...wishes },
  { ...FACTS, ...facts },
).listed.map(({ code, pointer }) => `${code} ${pointer}`);

const fixes = (...locations: readonly object[]): unknown => ({
  post_timestamp: NOW,
  locations: locations.map((each) => ({ timestamp: NOW - 10, ...each })),
});
const fixAt = (latitude: number, longitude: number, country_id = 'XA') => (
  { latitude, longitude, country_id }
);
const at = '/locations/0';

describe('coordinates', () => {
  it.each([
    ['on the edge of a box', 40, 10, []],
    ['in another part of the country', -4.5, -4.5, []],
    ['a little outside', 39.999, 15, [`outside_country ${at}/latitude`]],
    ['inside when exchanged', 15, 45, [`swapped_coordinates ${at}/latitude`]],
    ['on the equator at the meridian', 0, 0, [`zero_position ${at}/latitude`]],
    ['on the equator elsewhere', 0, 15, [`outside_country ${at}/latitude`]],
  ] as const)('%s', (_what, latitude, longitude, warnings) => {
    expect(found(fixes(fixAt(latitude, longitude)))).toEqual(warnings);
  });

  it('of a country without boxes are never outside', () => {
    expect(found(fixes(fixAt(0, 15, 'ZZ')))).toEqual([]);
  });

  it('without a country of their own are compared with that of the call for exchanged numbers only', () => {
    const events = (latitude: number, longitude: number): unknown => ({
      events: [{ latitude, longitude }],
    });
    const call = { operation: 'send-telemetry-events', countryId: 'XA' };
    expect(found(events(15, 45), call)).toEqual(['swapped_coordinates /events/0/latitude']);
    expect(found(events(80, 80), call)).toEqual([]);
  });
});

describe('times', () => {
  const newest = (seconds: number): readonly string[] => (
    found({ locations: [{ timestamp: NOW + seconds }] })
  );

  it.each([
    [300, []], [301, [`future_time ${at}/timestamp`]],
    [-86_400, []], [-86_401, [`stale_time ${at}/timestamp`]],
    [3_600 - 121, [`future_time ${at}/timestamp`]],
    [3_600 - 120, [`clock_hours_off ${at}/timestamp`]],
    [-3_600 - 120, [`clock_hours_off ${at}/timestamp`]], [-3_600 - 121, []],
    [-14 * 3_600, [`clock_hours_off ${at}/timestamp`]], [-15 * 3_600, []],
  ] as const)('%i s from now', (seconds, warnings) => {
    expect(newest(seconds)).toEqual(warnings);
  });

  it('are those of the newest item, and of the post first', () => {
    const body = { post_timestamp: NOW - 7_200, locations: [
      { timestamp: NOW - 7_210 }, { timestamp: NOW - 7_205 },
    ] };
    expect(found(body)).toEqual(['clock_hours_off /post_timestamp']);
    expect(found({ locations: [{ timestamp: NOW - 3_600 }, { timestamp: NOW - 5 }] })).toEqual([]);
  });

  it('may be old in a summary and in a report of a carrier', () => {
    const old = { events: [{ end_date: '2020-01-01T00:00:00Z' }] };
    expect(found(old, { operation: 'send-deferred-events' })).toEqual([]);
    expect(found(old, { operation: 'send-telemetry-events' })).toEqual(['stale_time /events/0/end_date']);
  });

  it('of an event may be the same at both ends', () => {
    const event = (start_date: string, end_date: string): unknown => (
      { events: [{ start_date, end_date }] }
    );
    const call = { operation: 'send-deferred-events' };
    expect(found(event('2025-01-01T00:00:01Z', '2025-01-01T00:00:01Z'), call)).toEqual([]);
    expect(found(event('2025-01-01T00:00:01Z', '2025-01-01T00:00:00Z'), call))
      .toEqual(['reversed_times /events/0/end_date']);
  });
});

describe('speeds', () => {
  /** Fixes so far apart that each pair makes 60 kilometers per hour. */
  const drive = (count: number, speed: number, seconds = 10): unknown => fixes(
    ...Array.from({ length: count }, (_, nth) => ({
      timestamp: NOW - seconds * (count - nth), longitude: 1,
      latitude: nth * seconds * (60 / 3.6) / 111_195, telemetry: { speed },
    })),
  );
  const WARNED = [`speed_unit ${at}/telemetry/speed`];

  it.each([
    ['as the positions', 60, []], ['a 3.6th', 16.7, WARNED], ['3.6 times', 216, WARNED],
    ['half, on a winding road', 30, []], ['twice, on a winding road', 120, []],
  ] as const)('%s', (_what, speed, warnings) => {
    expect(found(drive(5, speed))).toEqual(warnings);
  });

  it('need three pairs, at most five minutes apart', () => {
    expect([found(drive(4, 16.7)), found(drive(3, 16.7))]).toEqual([WARNED, []]);
    expect([found(drive(4, 16.7, 300)), found(drive(4, 16.7, 301))]).toEqual([WARNED, []]);
  });

  it('of who stands say nothing', () => {
    const standing = Array.from({ length: 6 }, (_, nth) => (
      { timestamp: NOW - nth, latitude: 1, longitude: 1, telemetry: { speed: 3 } }
    ));
    expect(found(fixes(...standing))).toEqual([]);
  });
});

describe('values', () => {
  it.each([
    [{ bearing: 360 }, []], [{ bearing: 360.1 }, [`implausible_value ${at}/bearing`]],
    [{ bearing: -0.1 }, [`implausible_value ${at}/bearing`]],
    [{ telemetry: { speed: 0 } }, []],
    [{ telemetry: { speed: -1 } }, [`implausible_value ${at}/telemetry/speed`]],
    [{ telemetry: { battery_level: 100 } }, []],
    [{ telemetry: { battery_level: 100.5 } }, [`implausible_value ${at}/telemetry/battery_level`]],
  ] as const)('%o', (fields, warnings) => {
    expect(found(fixes(fields))).toEqual(warnings);
  });
});

describe('names', () => {
  const leaf: NameTree = { members: undefined, items: undefined };
  const tree = (names: Readonly<Record<string, NameTree>>): NameTree => (
    { members: new Map(Object.entries(names)), items: undefined }
  );
  const names = tree({
    device_id: leaf, free: leaf,
    list: {
      members: undefined,
      items: tree({ latitude: leaf, inner: tree({ speed: leaf, id: leaf }) }),
    },
  });
  const named = (body: unknown): readonly string[] => found(body, { operation: 'other' }, { names });

  it.each([
    ['known ones', { device_id: 1, list: [{ latitude: 1, inner: { speed: 1 } }] }, []],
    ['one that is near', { list: [{ lattitude: 1 }] }, ['misspelt_field /list/0/lattitude']],
    ['one that is near to none', { colour: 'red' }, []],
    ['one of a list beside it', { latitude: 1 }, ['misplaced_field /latitude']],
    ['one of an object inside', { list: [{ speed: 1 }] }, ['misplaced_field /list/0/speed']],
    ['one of an object around', { list: [{ inner: { device_id: 1 } }] }, ['misplaced_field /list/0/inner/device_id']],
    ['one that many objects have', { list: [{ id: 1 }] }, []],
    ['anything where the schema names nothing', { free: { lattitude: 1 } }, []],
    ['a pointer that needs escapes', { 'device/id': 1 }, ['misspelt_field /device~1id']],
  ] as const)('%s', (_what, body, warnings) => {
    expect(named(body)).toEqual(warnings);
  });

  it.each([[63, ['misspelt_field /lattitude_of_all']], [64, []]] as const)(
    'behind %i other unknown ones', (others, warnings) => {
      const before = Object.fromEntries(Array.from({ length: others }, (_, nth) => [`x${nth}y${nth}`, 1]));
      const of = tree({ latitude_of_all: leaf });
      expect(found({ ...before, lattitude_of_all: 1 }, { operation: 'other' }, { names: of }))
        .toEqual(warnings);
    },
  );
});
