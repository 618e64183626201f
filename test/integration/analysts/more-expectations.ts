import { expect } from 'vitest';
import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { expectations, text, type Expectation } from './expectations.ts';
import { ofFleet } from './fleet-expectations.ts';
import { heatOf } from './heat-of.ts';
import { ofLocalTime } from './local-expectations.ts';
import { ofOddFixes } from './odd-expectations.ts';
import type { AnalystData } from './analyst-data.ts';

const TWIZY = 'T3_05_25_2021_04';
const CAR = 'track_1';
const CARRIER = 'carrier-1';

/** What the queries must say of the world, by name of the file. */
export function allExpectations(data: AnalystData): Readonly<Record<string, Expectation>> {
  return {
    ...expectations(data), ...ofReadings(data), ...ofProviders(data), ...ofFleet(data),
    ...ofLocalTime(data), ...ofOddFixes(data), ...OF_SHIPMENTS,
  };
}

function ofReadings({ tracks, startTs }: AnalystData): Readonly<Record<string, Expectation>> {
  const fixesOf = (device: string) => (
    tracks.find((track) => track.device === device)?.fixes ?? []
  );
  const speedsOf = (device: string): readonly number[] => (
    // As the tables hold them, in 32 bits.
    fixesOf(device).flatMap(({ telemetry }) => (
      telemetry?.speed === undefined ? [] : [Math.fround(telemetry.speed)]
    ))
  );
  const dayOf = (seconds: number): string => text(seconds).slice(0, 10);
  const days = { from_day: dayOf(startTs), to_day: dayOf(startTs + 86_400) };
  const window = { since: text(startTs), until: text(startTs + 2 * 86_400) };
  const over = (limit: number) => (device: string) => (
    speedsOf(device).filter((speed) => speed > limit && speed <= 350).length
  );
  return {
    // The probe whose odometer says 10 km stood still; no recorded track has an odometer.
    'distance-versus-odometer': {
      parameters: { percent: 5, ...days },
      check: (rows) => {
        expect(rows).toMatchObject([
          { device_id: 'probe-2', kilometers: 0, odometer_km: 10, difference: -100 },
        ]);
      },
    },
    'speeds-of-devices': {
      parameters: { provider: 'rsk-twizy', ...window },
      check(rows) {
        const speeds = speedsOf(TWIZY).filter((speed) => speed > 0).toSorted((a, b) => a - b);
        expect(rows).toMatchObject([{ device_id: TWIZY, fixes: String(speeds.length) }]);
        expect(Number(rows[0]?.['fastest'])).toBeCloseTo(speeds.at(-1) ?? 0, 3);
        const middle = (speeds.length - 1) / 2;
        expect(Number(rows[0]?.['median'])).toBeCloseTo(
          ((speeds[Math.floor(middle)] ?? 0) + (speeds[Math.ceil(middle)] ?? 0)) / 2, 3,
        );
      },
    },
    'speeding-cells': {
      parameters: days,
      check(rows) {
        const devices = tracks.map(({ device }) => device);
        expect(rows.reduce((total, row) => total + Number(row['seconds_over']), 0))
          .toBe(devices.reduce((total, device) => total + over(110)(device), 0));
        expect(rows.every(({ cell }) => /^88[0-9a-f]{13}$/.test(String(cell)))).toBe(true);
      },
    },
    'heat-map': {
      parameters: { provider: 'capmetrics', ...window },
      check(rows) {
        const expected = heatOf(tracks.filter(({ provider }) => provider === 'capmetrics')
          .flatMap(({ device, provider, fixes }) => fixes.map(({ timestamp: ts, ...fix }) => (
            { device, provider, ts, latitude: fix.latitude, longitude: fix.longitude }
          ))));
        expect(expected.length).toBeGreaterThan(100);
        const place = (row: ResultRow): string => `${String(row['hour'])} ${String(row['cell'])}`;
        expect(rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).map((row) => [
          row['hour'], row['cell'], row['devices_there'], row['seconds_there'],
        ])).toEqual(expected.map((row) => [row.hour, row.cell, row.devices, row.seconds]));
      },
    },
    'speeding-runs': {
      parameters: { device: CAR, limit: 120, ...window },
      check(rows) {
        expect(rows.length).toBeGreaterThan(1);
        expect(rows.reduce((total, row) => total + Number(row['fixes']), 0))
          .toBe(over(120)(CAR));
        expect(rows.every(({ start_ts, end_ts }) => String(start_ts) <= String(end_ts))).toBe(true);
      },
    },
    'self-reported-speeding': {
      parameters: { name: 'SpeedLimit', tolerance: 5, ...window },
      check(rows) {
        const reported = fixesOf(TWIZY).flatMap(({ telemetry }) => {
          const limit = telemetry?.others?.find(({ name }) => name === 'SpeedLimit')?.value;
          return limit === undefined ? [] : [[telemetry?.speed ?? 0, Number(limit)] as const];
        });
        expect(rows).toEqual([{
          device_id: TWIZY, readings: String(reported.length),
          above: String(reported.filter(([speed, limit]) => Math.fround(speed) > limit + 5).length),
        }]);
      },
    },
    'gaps-of-a-device': {
      parameters: { device: 'probe-1', seconds: 900, ...window },
      check(rows) {
        expect(rows).toMatchObject([
          { last_ts: text(startTs + 12), next_ts: text(startTs + 2_000), meters: 0 },
        ]);
      },
    },
    'suspicious-fixes': {
      parameters: window,
      check(rows) {
        const zero = tracks.flatMap(({ fixes }) => fixes)
          .filter(({ latitude, longitude }) => latitude === 0 && longitude === 0);
        const row = rows.find(({ flag }) => flag === 'zero_position');
        expect(Number(row?.['fixes'] ?? 0)).toBe(zero.length);
        expect(rows.find(({ provider, flag }) => provider === 'barefoot-munich' && flag === 'jump'))
          .toMatchObject({ fixes: '1' });
      },
    },
    'battery-use': {
      parameters: days,
      check(rows) {
        const levels = fixesOf(TWIZY).map(({ telemetry }) => telemetry?.battery_level ?? 0);
        expect(rows).toMatchObject([{ device_id: TWIZY }]);
        expect(Number(rows[0]?.['percent_used']))
          .toBeCloseTo((levels[0] ?? 0) - (levels.at(-1) ?? 0), 3);
      },
    },
    'idling': {
      parameters: window,
      check(rows) {
        const fixes = fixesOf(TWIZY);
        const idle = fixes.filter(({ telemetry }, index) => (
          index > 0 && telemetry?.ignition === true && telemetry.speed === 0
        ));
        expect(rows).toEqual([{ device_id: TWIZY, idling_s: String(idle.length) }]);
      },
    },
    'events-per-100-km': {
      parameters: { kilometers: 1, ...days },
      check(rows) {
        const day = tracks.find(({ device }) => device === CAR)?.days[0];
        expect(rows[0]).toMatchObject({
          device_id: CAR, total: '3', kinds: { harsh_braking: '2', speeding_route: '1' },
        });
        expect(Number(rows[0]?.['per_100_kilometers']))
          .toBeCloseTo(300_000 / (day?.distance ?? 1), 2);
        expect(rows.slice(1).every(({ total }) => total === '0')).toBe(true);
      },
    },
    'events-by-kind': {
      parameters: window,
      check: (rows) => {
        expect(rows).toEqual([
          { provider: 'envirocar', name: 'harsh_braking', events: '2', devices: '1', mean_s: 4 },
          { provider: 'envirocar', name: 'speeding_route', events: '1', devices: '1', mean_s: 4 },
        ]);
      },
    },
  };
}

function ofProviders({ startTs, tracks }: AnalystData): Readonly<Record<string, Expectation>> {
  const window = { since: text(startTs), until: text(startTs + 2 * 86_400) };
  const car = tracks.find(({ device }) => device === CAR)?.fixes ?? [];
  return {
    'provider-quality': {
      parameters: window,
      check(rows) {
        expect(rows.find(({ provider }) => provider === 'probe')).toMatchObject({
          devices: '2', fixes: '7', duplicates: '1', outliers: '0', out_of_order: '1', gaps: '1',
          latency_p50_s: 5, clock_skew_ms_worst: '91000', devices_off: '1', future: '0',
        });
        expect(rows.find(({ provider }) => provider === 'envirocar')).toMatchObject({
          fixes: String(car.length), out_of_order: '0', duplicates: '0', clock_skew_ms: '1000',
        });
        expect(rows).toHaveLength(5);
      },
    },
    'latency-classes': {
      parameters: { provider: 'probe', ...window },
      check: (rows) => {
        expect(rows).toEqual([
          { seconds: '0-10', fixes: '5' }, { seconds: '10-60', fixes: '2' },
        ]);
      },
    },
    'device-clock-errors': {
      parameters: { seconds: 60, ...window },
      check: (rows) => {
        expect(rows).toEqual([{ device_id: 'probe-2', provider: 'probe', seconds_behind: 91 }]);
      },
    },
    'ingest-balance': {
      parameters: window,
      check(rows) {
        expect(rows.find(({ provider }) => provider === 'probe')).toEqual({
          provider: 'probe', kind: 'locations', accepted: '8', stored: '7', duplicate: '1',
          unexplained: '0',
        });
        expect(rows.every(({ unexplained }) => unexplained === '0')).toBe(true);
      },
    },
    'traceable-now': {
      parameters: { type: 'shipment', id: 'P1' },
      check: (rows) => {
        expect(rows).toMatchObject([
          { ts: text(startTs + 240), latitude: 0.24, external_id: 'rui' },
        ]);
      },
    },
    'drivers-of-a-traceable': {
      parameters: { type: 'shipment', id: 'P1', ...window },
      check: (rows) => {
        expect(rows).toMatchObject([
          { external_id: 'ana', fixes: '2', last_ts: text(startTs + 60) },
          { external_id: 'rui', fixes: '3', first_ts: text(startTs + 120) },
        ]);
      },
    },
  };
}

const OF_SHIPMENTS: Readonly<Record<string, Expectation>> = {
  'shipments-by-status': {
    parameters: {},
    check: (rows) => {
      expect(rows.map(({ carrier, final, shipments }) => [carrier, final, shipments]).toSorted())
        .toEqual([[CARRIER, false, '1'], [CARRIER, true, '1']]);
    },
  },
  'journey-of-a-shipment': {
    parameters: { number: 'S1' },
    check: (rows) => {
      expect(rows.map(({ code, outcome, final }) => [code, outcome, final])).toEqual([
        ['EX-HUB', 'applied', false], ['EX-HUB', 'duplicate', false],
        ['EX-DELIVERED', 'applied', true],
      ]);
    },
  },
  'ineffective-notifications': {
    parameters: { since: '2025-12-01 00:00:00', until: '2026-01-01 00:00:00' },
    check: (rows) => {
      expect(rows).toEqual([
        { client_id: CARRIER, outcome: 'applied', notifications: '3', percent: 60 },
        { client_id: CARRIER, outcome: 'duplicate', notifications: '2', percent: 40 },
      ]);
    },
  },
  'shipment-duration': {
    parameters: {},
    check: (rows) => {
      expect(rows).toEqual([{ carrier: CARRIER, shipments: '1', median_hours: 2, most_hours: 2 }]);
    },
  },
  'cancelled-authorizations': {
    parameters: { since: '2025-11-01 00:00:00', until: '2026-01-01 00:00:00' },
    check: (rows) => {
      expect(rows).toMatchObject([{ authorizations: '3', receiver_country_id: 'BR' }]);
      expect(Number(rows[0]?.['percent_cancelled'])).toBeCloseTo(33.333, 2);
    },
  },
};
