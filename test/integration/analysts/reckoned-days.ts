import { expect } from 'vitest';
import type { ClickHouse, ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { naiveDays } from '../../support/naive-days.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';

/** Rows of the devices of one kind, `kind-…`, without what may differ. */
export async function rowsOfDevices(
  analyst: ClickHouse, view: string, kind: string,
): Promise<readonly ResultRow[]> {
  const rows = await analyst.query(
    `SELECT * FROM ${view} WHERE startsWith(device_id, {kind:String}) ORDER BY ALL`,
    { kind: `${kind}-` },
  );
  return rows.map(({ computed_at: _when, received_at: _at, ...row }) => (
    { ...row, device_id: String(row['device_id']).slice(kind.length) }
  ));
}

/** Days, trips and stops of devices `kind-0` and so on are those of a naive walk over fixes. */
export async function expectReckoned(
  analyst: ClickHouse, kind: string, tracks: readonly (readonly NaiveFix[])[],
): Promise<void> {
  const [days, trips, stops] = [
    await rowsOfDevices(analyst, 'v_device_days', kind),
    await rowsOfDevices(analyst, 'v_trips', kind), await rowsOfDevices(analyst, 'v_stops', kind),
  ];
  const expected = tracks.flatMap((fixes, index) => (
    naiveDays(fixes).map((day) => ({ device: `-${index}`, day }))
  ));
  expect(days).toHaveLength(expected.length);
  for (const { device, day } of expected) {
    const date = text(day.day * 86_400).slice(0, 10);
    const isOf = (row: ResultRow) => row['device_id'] === device && row['day'] === date;
    const [row = {}] = days.filter(isOf);
    expect(row, `${device} ${date}`).toMatchObject({
      seconds: day.fixes, driving_s: day.driving_s, standing_s: day.standing_s, stops: day.stops,
      gaps: day.gaps, gap_s: day.gap_s, jumps: day.jumps,
      speed_max_kmh: day.reported.length === 0 ? null : Math.max(...day.reported),
      trips: day.trips.filter(({ continues }) => !continues).length,
    });
    expect(Number(row['distance_m'])).toBeCloseTo(day.distance, 0);
    expect(Number(row['odometer_km']))
      .toBeCloseTo(Math.max(...day.odometers) - Math.min(...day.odometers), 6);
    expect(trips.filter(isOf).map(({ start_ts, end_ts, driving_s, continues }) => (
      { start_ts, end_ts, driving_s, continues }
    )), `${device} ${date}`).toEqual(day.trips.map(({ start_ts, end_ts, driving_s, continues }) => (
      { start_ts: text(start_ts), end_ts: text(end_ts), driving_s, continues }
    )));
    const shown = stops.filter(isOf);
    expect(shown.map(({ start_ts, end_ts, silent_s, continues }) => (
      { start_ts, end_ts, silent_s, continues }
    )), `${device} ${date}`).toEqual(day.stays.map(({ start_ts, end_ts, silent_s, continues }) => (
      { start_ts: text(start_ts), end_ts: text(end_ts), silent_s, continues }
    )));
    for (const [index, stay] of day.stays.entries()) {
      expect(Number(shown[index]?.['latitude'])).toBeCloseTo(stay.latitude, 6);
      expect(Number(shown[index]?.['longitude'])).toBeCloseTo(stay.longitude, 6);
    }
  }
}

function text(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
