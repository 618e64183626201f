import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { NaiveFix } from '../../support/naive-days/naive-days.ts';

/** A fix as a provider sends it. */
export function sendable(
  { ts, latitude, longitude, accuracy, speed, odometer, ignition }: NaiveFix,
): object {
  const told = Object.entries({ speed, odometer, ignition })
    .filter(([, value]) => value !== undefined);
  return {
    timestamp: ts, country_id: 'BR', latitude, longitude,
    ...(accuracy === undefined ? {} : { accuracy }),
    ...(told.length === 0 ? {} : { telemetry: { timestamp: ts, ...Object.fromEntries(told) } }),
  };
}

/** Has the hours and days computed now that are due, instead of when their views come to it. */
export async function refreshDays(admin: ClickHouse): Promise<void> {
  for (const isLive of [1, 0]) {
    await admin.execute(`
      INSERT INTO device_hours
      SELECT device_id, hour, client_id, provider, country_id, transport_id, seconds, first, last,
             odometer_min, odometer_max, speed_max, jumps, legs, cells, now64(3, 'UTC')
      FROM device_hours_now(is_live = ${isLive}, pace_s = 0)`);
  }
  await admin.execute(`
    INSERT INTO device_days
    SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
           distance_cm, odometer_km, driving_s, standing_s, gaps, gap_s, jumps, speed_max, trips,
           stops, now64(3, 'UTC')
    FROM device_days_now(pace_s = 0)`);
}
