import { describe, expect, it } from 'vitest';
import {
  ignitionOf, lineOf, stripsOf, valueAt, xOf,
} from '../../../services/adapters/console/browser/strips.ts';
import { trackSql } from '../../../services/adapters/console/browser/sql.ts';
import {
  beside, driveOf, gapsOf, nearestFix, legsOf, trackAddress,
} from '../../../services/adapters/console/browser/track.ts';
import type { DeviceTrack, TrackFix } from '../../../schemas/generated/types.ts';

const fix = (timestamp: number, more: Partial<TrackFix> = {}): TrackFix => ({
  timestamp, latitude: 1, longitude: timestamp / 1_000, country_id: 'BR', provider: 'acme',
  received_at: '1970-01-01T00:00:00.000Z', flags: [], ...more,
});
const trackWith = (change: Partial<DeviceTrack>): DeviceTrack => ({
  device_id: 'd1', since: '1970-01-01T00:00:00.000Z', until: '1970-01-01T02:46:40.000Z',
  fixes_total: 0, fixes_every: 1, fixes: [], readings_total: 0, readings_every: 1, readings: [],
  posts_total: 0, posts_every: 1, posts: [], odd_fixes_total: 0, odd_fixes: [], ...change,
});

describe('a track', () => {
  it('is asked for a day in UTC', () => {
    expect(decodeURIComponent(trackAddress('/t?limit=5000', Date.UTC(2026, 10, 26))))
      .toBe('/t?limit=5000&since=2026-11-26T00:00:00.000Z&until=2026-11-27T00:00:00.000Z');
  });

  it('has its gaps, and the fix that is nearest to a time', () => {
    const fixes = [fix(10), fix(20), fix(2_000, { gap_seconds: 1_980 })];
    expect(gapsOf(fixes)).toEqual([{ from: 20, to: 2_000 }]);
    expect([0, 10, 15, 16, 1_009, 1_011, 9_999].map((at) => nearestFix(fixes, at)))
      .toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(nearestFix([], 5)).toBe(-1);
  });

  it.each([
    [undefined, 'unknown'], [0, 'standing'], [4.9, 'standing'], [5, 'slow'], [49.9, 'slow'],
    [50, 'road'], [89.9, 'road'], [90, 'fast'],
  ])('of %s km/h is %s', (speed, drive) => {
    expect(driveOf(speed)).toBe(drive);
  });

  it('is drawn in legs of one drive, with gaps, and without 0,0', () => {
    expect(legsOf([
      fix(1_000, { speed: 10 }), fix(2_000, { speed: 20 }), fix(3_000, { speed: 60 }),
      fix(5_000, { flags: ['zero_position'], longitude: 0, latitude: 0, gap_seconds: 2_000 }),
      fix(6_000, { speed: 60 }), fix(7_000, { speed: 60 }),
    ])).toEqual([
      { drive: 'slow', way: [[1, 1], [2, 1]] }, { drive: 'road', way: [[2, 1], [3, 1]] },
      { drive: 'gap', way: [[3, 1], [6, 1]] }, { drive: 'road', way: [[6, 1], [7, 1]] },
    ]);
    expect(legsOf([fix(5, { flags: ['zero_position'] })])).toEqual([]);
  });

  it('goes on over the 180th meridian', () => {
    expect([
      beside(undefined, -179), beside(179, -179), beside(-179, 179), beside(541, 179),
      beside(10, 20),
    ]).toEqual([-179, 181, -181, 539, 20]);
    const fixes = [fix(1, { longitude: 179 }), fix(2, { longitude: -179 })];
    expect(legsOf(fixes)[0]?.way).toEqual([[179, 1], [181, 1]]);
  });
});

describe('strips', () => {
  const track = trackWith({
    fixes: [
      fix(0, { speed: 0, ignition: true }), fix(1_000, { ignition: true }),
      fix(3_000, { gap_seconds: 2_000, ignition: false }),
      fix(4_000, { speed: 100, ignition: true }),
      fix(5_000, { speed: 50 }),
    ],
    readings: [
      { timestamp: 0, fuel_level: 70 }, { timestamp: 900, fuel_level: 60, air_temperature: -10 },
      { timestamp: 1_801, fuel_level: 50 },
    ],
  });
  const [speed, fuel, air, more] = stripsOf(track);

  it('are those that there are values for, from 0 or below', () => {
    expect([speed?.name, fuel?.name, air?.name, more]).toEqual(['speed', 'fuel_level', 'air_temperature', undefined]);
    expect([speed?.min, speed?.max, air?.min]).toEqual([0, 100, -10]);
  });

  it('are lines over the time of the track, and none through a gap', () => {
    expect([xOf(0, track), xOf(5_000, track), xOf(10_000, track)]).toEqual([0, 500, 1_000]);
    expect(lineOf(speed!, track)).toBe('M0.0 50.0M400.0 0.0L500.0 25.0');
    expect(lineOf(fuel!, track).match(/[ML]/g)).toEqual(['M', 'L', 'M']);
  });

  it('have the last value of a time, unless it is long past', () => {
    expect([0, 899, 900, 1_800, 1_801, 2_701, 2_702].map((at) => valueAt(fuel!, at)))
      .toEqual([70, 70, 60, 60, 50, 50, undefined]);
  });

  it('show the ignition from a fix that says so to the next one, and not through a gap', () => {
    expect(ignitionOf(track.fixes)).toEqual([{ from: 0, to: 1_000 }, { from: 4_000, to: 5_000 }]);
  });
});

describe('a track as SQL', () => {
  it('is asked for by device and time, and an id cannot end its quotes', () => {
    const sql = trackSql(String.raw`a'; DROP TABLE x --\ `, '2026-11-26T00:00:00.000Z', '2026-11-27T00:00:00.000Z');
    expect(sql).toContain(String.raw`device_id = 'a\'; DROP TABLE x --\\ '`);
    expect(sql).toContain("ts >= '2026-11-26 00:00:00' AND ts < '2026-11-27 00:00:00'");
  });
});
