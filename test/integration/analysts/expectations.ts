import { expect } from 'vitest';
import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { metersBetween } from '../../support/meters-between.ts';
import type { AnalystData } from './analyst-data.ts';
import { near } from './reckoning.ts';
import type { TestTrack } from './test-track.ts';

type Parameters = Readonly<Record<string, string | number>>;

/** How a query of the cookbook is asked, and what must come of it. */
export interface Expectation {
  readonly parameters: Parameters;
  readonly check: (rows: readonly ResultRow[]) => void;
}

const TWIZY = 'T3_05_25_2021_04';
const CAR = 'track_1';
const MUNICH = 'x0001-001';

/** Time of the tables, of epoch seconds. */
export const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
);
const date = (seconds: number): string => text(seconds).slice(0, 10);
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

/** What the queries about places, days and trips must say of the world, by name of the file. */
export function expectations(data: AnalystData): Readonly<Record<string, Expectation>> {
  const { tracks, startTs } = data;
  const trackOf = (device: string): TestTrack => {
    const track = tracks.find((each) => each.device === device);
    if (track === undefined) throw new Error(`no track ${device}`);
    return track;
  };
  const buses = tracks.filter(({ provider }) => provider === 'capmetrics');
  const days = { from_day: date(startTs), to_day: date(startTs + 86_400) };
  const window = { since: text(startTs), until: text(startTs + 2 * 86_400) };
  const seconds = (track: TestTrack): readonly number[] => (
    [...new Set(track.fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0)
      .map(({ timestamp }) => timestamp))].sort((a, b) => a - b)
  );
  const newest = (track: TestTrack): number => seconds(track).at(-1) ?? 0;
  const kilometers = (track: TestTrack): number => (
    sum(track.days.map((day) => day.distance)) / 1_000
  );
  const all = (track: TestTrack, key: 'driving_s' | 'standing_s' | 'stops'): number => (
    sum(track.days.map((day) => day[key]))
  );
  const byDevice = (rows: readonly ResultRow[], device: string): ResultRow => (
    rows.find((row) => row['device_id'] === device) ?? {}
  );
  return {
    'last-fixes': {
      parameters: { provider: 'capmetrics' },
      check(rows) {
        expect(new Map(rows.map(({ device_id, ts }) => [device_id, ts])))
          .toEqual(new Map(buses.map((bus) => [bus.device, text(newest(bus))])));
      },
    },
    'fleet-at-a-minute': {
      parameters: { at: text(startTs + 61_234) },
      check(rows) {
        const until = Math.floor((startTs + 61_234) / 60) * 60 + 60;
        const seen = tracks.flatMap((track) => {
          const last = seconds(track).filter((at) => at < until && at >= until - 86_400).at(-1);
          return last === undefined ? [] : [[track.device, text(last), String(until - last)]];
        });
        expect(seen.length).toBeGreaterThan(20);
        expect(rows.filter(({ device_id }) => !String(device_id).startsWith('probe-'))
          .map(({ device_id, ts, age_s }) => [device_id, ts, String(age_s)]))
          .toEqual(seen.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
      },
    },
    'silent-devices': {
      parameters: { since: text(startTs + 60_000) },
      check(rows) {
        const expected = tracks.filter((track) => newest(track) < startTs + 60_000)
          .map(({ device }) => device);
        expect(rows.map(({ device_id }) => device_id).toSorted())
          .toEqual([...expected, 'probe-1', 'probe-2'].toSorted());
      },
    },
    'devices-in-a-box': {
      parameters: { south: 30, west: -98.5, north: 31, east: -97 },
      check(rows) {
        expect(rows.length).toBeGreaterThan(buses.length - 3);
        expect(rows.every(({ device_id }) => buses.some(({ device }) => device === device_id)))
          .toBe(true);
      },
    },
    'track-of-a-device': {
      parameters: { device: CAR, ...window },
      check(rows) {
        expect(rows.map(({ ts, latitude, longitude }) => [ts, latitude, longitude]))
          .toEqual(trackOf(CAR).fixes.map(({ timestamp, latitude, longitude }) => [
            text(timestamp), Math.round(latitude * 1e7) / 1e7, Math.round(longitude * 1e7) / 1e7,
          ]));
      },
    },
    'devices-near-a-point': nearPoint(trackOf(MUNICH), window),
    'who-was-in-a-box': {
      parameters: { south: 30, west: -98.5, north: 30.5, east: -97, ...window },
      check(rows) {
        const within = buses.map((bus) => ({ device_id: bus.device, times: bus.fixes.filter(
          ({ latitude, longitude }) => latitude >= 30 && latitude <= 30.5 && longitude >= -98.5
            && longitude <= -97,
        ).map(({ timestamp }) => timestamp) })).filter(({ times }) => times.length > 0);
        expect(within.length).toBeGreaterThan(10);
        expect(rows).toEqual(within.map(({ device_id, times }) => ({
          device_id, first_ts: text(Math.min(...times)), last_ts: text(Math.max(...times)),
          seconds: String(new Set(times).size),
        })).toSorted((one, other) => (one.device_id < other.device_id ? -1 : 1)));
      },
    },
    'devices-by-minute': {
      parameters: { since: text(startTs + 60_000), until: text(startTs + 63_600) },
      check(rows) {
        const minutes = new Map<string, Set<string>>();
        for (const track of tracks) {
          for (const at of seconds(track)) {
            if (at < startTs + 60_000 || at >= startTs + 63_600) continue;
            const minute = text(at - at % 60);
            minutes.set(minute, (minutes.get(minute) ?? new Set()).add(track.device));
          }
        }
        expect(new Map(rows.map(({ minute, devices }) => [minute, Number(devices)])))
          .toEqual(new Map([...minutes].map(([minute, devices]) => [minute, devices.size])));
        expect(rows.length).toBeGreaterThan(20);
      },
    },
    'active-devices-by-hour': {
      parameters: { provider: 'rsk-twizy', ...days },
      check(rows) {
        expect(sum(rows.map((row) => Number(row['seconds'])))).toBe(seconds(trackOf(TWIZY)).length);
        expect(rows.every(({ devices }) => devices === '1')).toBe(true);
      },
    },
    'distance-by-device': {
      parameters: { provider: 'capmetrics', ...days },
      check(rows) {
        expect(rows).toHaveLength(buses.length);
        for (const bus of buses) {
          const row = byDevice(rows, bus.device);
          near(row['kilometers'], kilometers(bus));
          near(row['driving_hours'], all(bus, 'driving_s') / 3_600);
          expect(Number(row['stops']), bus.device).toBe(all(bus, 'stops'));
        }
      },
    },
    'distance-by-day': {
      parameters: days,
      check(rows) {
        near(sum(rows.map((row) => Number(row['kilometers']))), sum(tracks.map(kilometers)));
        near(
          sum(rows.map((row) => Number(row['standing_hours']))),
          // The probes add 12 and 100 seconds.
          (sum(tracks.map((track) => all(track, 'standing_s'))) + 112) / 3_600,
        );
        expect(rows.map(({ day }) => day)).toEqual([days.from_day, days.to_day]);
      },
    },
    'utilization': {
      parameters: days,
      check(rows) {
        const driving_s = all(trackOf(MUNICH), 'driving_s');
        const standing_s = all(trackOf(MUNICH), 'standing_s');
        near(byDevice(rows, MUNICH)['percent'], 100 * driving_s / (driving_s + standing_s));
        expect(byDevice(rows, 'probe-1')['percent']).toBe(0);
      },
    },
    'trips-of-a-device': {
      parameters: { device: CAR, ...days },
      check(rows) {
        const trips = trackOf(CAR).days.flatMap((day) => day.trips);
        expect(rows.map(({ start_ts, end_ts }) => [start_ts, end_ts]))
          .toEqual(trips.map(({ start_ts, end_ts }) => [text(start_ts), text(end_ts)]));
        near(rows[0]?.['kilometers'], (trips[0]?.distance ?? 0) / 1_000);
      },
    },
    'longest-stops': {
      parameters: days,
      check(rows) {
        const stops = tracks.flatMap((track) => track.days.flatMap((day) => day.stays));
        const known = rows.filter((row) => !String(row['device_id']).startsWith('probe'));
        expect(known).toHaveLength(stops.filter(({ continues }) => !continues).length);
        near(sum(known.map((row) => Number(row['minutes']))),
          sum(stops.map(({ start_ts, end_ts }) => end_ts - start_ts)) / 60);
      },
    },
    'trips-across-midnight': {
      parameters: { provider: 'capmetrics', ...days },
      check(rows) {
        const trips = buses.flatMap((bus) => bus.days.flatMap((day) => day.trips));
        expect(rows).toHaveLength(trips.filter(({ continues }) => !continues).length);
        near(sum(rows.map((row) => Number(row['kilometers']))),
          sum(trips.map(({ distance }) => distance)) / 1_000);
        expect(rows.some(({ pieces }) => pieces === '2')).toBe(true);
      },
    },
    'trip-lengths': {
      parameters: days,
      check(rows) {
        const trips = tracks.flatMap((track) => track.days.flatMap((day) => day.trips));
        expect(sum(rows.map((row) => Number(row['trips']))))
          .toBe(trips.filter(({ continues }) => !continues).length);
        expect(rows.map((row) => row['kilometers']))
          .toEqual(['0-1', '1-5', '5-20', '20-100', '100-'].filter((name) => (
            rows.some((row) => row['kilometers'] === name)
          )));
      },
    },
  };
}

function nearPoint(track: TestTrack, window: Parameters): Expectation {
  const point = track.fixes[600] ?? { latitude: 0, longitude: 0 };
  const distances = track.fixes.map((fix) => metersBetween(fix, point));
  const inside = track.fixes.filter((_, index) => (distances[index] ?? 0) <= 150);
  return {
    parameters: {
      latitude: point.latitude, longitude: point.longitude, meters: 150, ...window,
    },
    check(rows) {
      const row = rows.find(({ device_id }) => device_id === track.device);
      const times = inside.map(({ timestamp }) => timestamp);
      expect(row).toMatchObject({
        first_ts: text(Math.min(...times)), last_ts: text(Math.max(...times)),
      });
      expect(Number(row?.['nearest'])).toBeLessThan(0.1);
      expect(rows.map(({ device_id }) => device_id)).toEqual([MUNICH, 'x0001-015']);
    },
  };
}
