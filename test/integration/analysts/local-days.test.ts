import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { naiveDays } from '../../support/naive-days.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';
import { wholeTripsOf } from '../../support/whole-trips.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { refreshDays, refreshZones, sendable } from './tracks.ts';

/** A place of each zone, and a day on which or beside which its clock changes. */
const PLACES = [
  ['Europe/Berlin', 52.52, 13.405, '2026-03-29'], ['Europe/Berlin', 48.137, 11.576, '2025-10-26'],
  ['America/Sao_Paulo', -23.55, -46.633, '2018-11-04'],
  ['America/Sao_Paulo', -23.55, -46.633, '2019-02-17'],
  ['America/Santiago', -33.45, -70.66, '2026-04-05'],
  ['America/Santiago', -33.45, -70.66, '2025-09-07'],
  ['Asia/Kolkata', 19.076, 72.877, '2026-03-29'],
  ['Australia/Lord_Howe', -31.553, 159.082, '2026-04-05'],
  ['Australia/Lord_Howe', -31.553, 159.082, '2025-10-05'],
] as const;
const HOURS_BEFORE = 36;
const HOURS = 84;
const STEP_S = 20;

/** Drives and stands by turns, so that trips lie across local and UTC midnights. */
function fixesAt(latitude: number, longitude: number, day: string): readonly NaiveFix[] {
  const start = Date.parse(`${day}T00:00:00Z`) / 1_000 - HOURS_BEFORE * 3_600;
  const fixes: NaiveFix[] = [];
  let meters = 0;
  for (let second = 0; second < HOURS * 3_600; second += STEP_S) {
    const isDriving = second % 10_400 < 6_100;
    if (!isDriving && second % 10_400 < 10_100 && second % 600 !== 0) continue;
    if (isDriving) meters += (second % 20_800 < 10_400 ? 1 : -1) * 15 * STEP_S;
    fixes.push({
      ts: start + second, latitude: latitude + Math.round(meters / 1.2e5 * 1e7) / 1e8, longitude,
      odometer: 1_000 + second / 100, speed: isDriving ? 54 : 0,
    });
  }
  return fixes;
}

/** The wall clock of a zone, by the Intl of Node.js and not by our tables. */
function wallClock(zone: string): (seconds: number) => { day: string; hour: number } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone, dateStyle: 'short', timeStyle: 'medium',
  });
  return (seconds) => {
    const text = format.format(seconds * 1_000);
    return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) };
  };
}

let history: History;
const devices = PLACES.map(([zone, latitude, longitude, day], index) => (
  { device: `d-${index}`, zone, fixes: fixesAt(latitude, longitude, day) }
));
beforeAll(async () => {
  history = await createHistory();
  const posts = devices.flatMap(({ device, fixes }) => (
    Array.from({ length: Math.ceil(fixes.length / 900) }, (_, n) => {
      const part = fixes.slice(n * 900, (n + 1) * 900);
      return post(part.map(sendable), {
        device, receivedAtMs: ((part.at(-1)?.ts ?? 0) + 5) * 1_000,
      });
    })
  ));
  // The second half first, and the days between computed.
  const half = Math.floor(posts.length / 2);
  for (const part of [posts.slice(half), posts]) {
    expect(await writePosts(history.ingest, part)).toEqual([]);
    await refreshDays(history.admin);
    await refreshZones(history.admin);
  }
}, 120_000);
afterAll(() => history.drop());

const text = (seconds: number): string => (
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
);

describe('local days', () => {
  it('have the zone of the place', async () => {
    const rows = await history.analyst.query(
      'SELECT DISTINCT device_id, time_zone, source FROM v_device_zones ORDER BY ALL',
    );
    expect(rows).toEqual(devices.map(({ device, zone }) => (
      { device_id: device, time_zone: zone, source: 'place' }
    )));
  });

  it('are those of an independent reckoning across changes of the clock', async () => {
    const rows = await history.analyst.query('SELECT * FROM v_local_days ORDER BY ALL');
    const expected = devices.flatMap(({ device, zone, fixes }) => {
      const clock = wallClock(zone);
      const days = Map.groupBy(fixes, ({ ts }) => clock(ts).day);
      const trips = Map.groupBy(wholeTripsOf(naiveDays(fixes)), ({ start }) => clock(start).day);
      return [...days].map(([local_day, of]) => ({
        device_id: device, local_day, time_zone: zone, source: 'place',
        seconds: String(of.length), first_ts: text(of[0]?.ts ?? 0),
        last_ts: text(of.at(-1)?.ts ?? 0),
        trips: String(trips.get(local_day)?.length ?? 0),
        driving_s: String(
          (trips.get(local_day) ?? []).reduce((sum, trip) => sum + trip.driving_s, 0),
        ),
        meters: (trips.get(local_day) ?? []).reduce((sum, trip) => sum + trip.distance, 0),
        odometer: ((of.at(-1)?.odometer ?? 0) - (of[0]?.odometer ?? 0)).toFixed(6),
      }));
    });
    expect(expected.length).toBeGreaterThan(devices.length * 3);
    const shown = (row: ResultRow) => ({
      ...Object.fromEntries([
        'device_id', 'local_day', 'time_zone', 'source', 'seconds', 'first_ts', 'last_ts', 'trips',
        'driving_s',
      ].map((name) => [name, row[name]])),
      odometer: Number(row['odometer_km']).toFixed(6),
    });
    expect(rows.map(shown)).toEqual(expected.map(({ meters: _, ...row }) => row));
    for (const [index, { meters }] of expected.entries()) {
      expect(Number(rows[index]?.['distance_m'])).toBeCloseTo(meters, -1);
    }
  });

  it('have whole trips, each on the day on which it began', async () => {
    const rows = await history.analyst.query(
      'SELECT device_id, local_day, start_ts, end_ts, driving_s FROM v_local_trips ORDER BY ALL',
    );
    expect(rows).toEqual(devices.flatMap(({ device, zone, fixes }) => (
      wholeTripsOf(naiveDays(fixes)).map(({ start, end, driving_s }) => ({
        device_id: device, local_day: wallClock(zone)(start).day, start_ts: text(start),
        end_ts: text(end), driving_s,
      }))
    )).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
  });

  it('have the hours of the local clock', async () => {
    const rows = await history.analyst.query(`
      SELECT device_id, local_day, local_hour, sum(seconds) AS seconds
      FROM v_local_hours GROUP BY ALL ORDER BY device_id, local_day, local_hour`);
    expect(rows).toEqual(devices.flatMap(({ device, zone, fixes }) => {
      const clock = wallClock(zone);
      return [...Map.groupBy(fixes, ({ ts }) => `${clock(ts).day} ${clock(ts).hour}`)].map(
        ([at, of]) => ({
          device_id: device, local_day: at.slice(0, 10), local_hour: Number(at.slice(11)),
          seconds: String(of.length),
        }),
      );
    }));
  });

  it('show a fix with the wall clock of its place', async () => {
    const [{ device, zone, fixes } = devices[0]!] = devices;
    const [row] = await history.analyst.query(`
      SELECT ts, local_ts, time_zone FROM v_local_locations
      WHERE device_id = {device:String} ORDER BY ts DESC LIMIT 1`, { device });
    const last = fixes.at(-1)?.ts ?? 0;
    expect(row).toEqual({ ts: text(last), local_ts: text(last + 7_200), time_zone: zone });
  });
});
