import type { ClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';

const HOURS = (isLive: number): string => `
  INSERT INTO device_hours
  SELECT device_id, hour, client_id, provider, country_id, transport_id, seconds, first, last,
         odometer_min, odometer_max, speed_max, jumps, legs, cells, now64(3, 'UTC')
  FROM device_hours_now(is_live = ${isLive}, pace_s = 0)`;
const EMPTY = (isLive: number): string => `
  INSERT INTO device_hour_marks (hour, device_id, computed_at)
  SELECT hour, device_id, now64(3, 'UTC')
  FROM device_hours_due(is_live = ${isLive}, pace_s = 0) WHERE fixes = 0`;
const DAYS = `
  INSERT INTO device_days
  SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
         distance_cm, odometer_km, driving_s, standing_s, gaps, gap_s, jumps, speed_max, trips,
         stops, now64(3, 'UTC')
  FROM device_days_now(pace_s = 0)`;

/**
 * Has the hours and days of devices computed until none waits, with what the refreshes ask but
 * without their pauses.
 */
export async function computeDays(
  admin: Pick<ClickHouse, 'execute' | 'query'>, leaving?: AbortSignal,
): Promise<void> {
  for (;;) {
    leaving?.throwIfAborted();
    for (const isLive of [1, 0]) {
      await admin.execute(HOURS(isLive));
      await admin.execute(EMPTY(isLive));
    }
    await admin.execute(DAYS);
    const [row] = await admin.query(`
      SELECT sum(waiting) AS waiting FROM in_computed_waits
      WHERE startsWith(table, 'device_')`);
    if (Number(row?.['waiting']) === 0) return;
  }
}
