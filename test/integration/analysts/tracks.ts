import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { NaiveFix } from '../../support/naive-days.ts';

/** A fix as a provider sends it. */
export function sendable({ ts, latitude, longitude, speed, odometer }: NaiveFix): object {
  return {
    timestamp: ts, country_id: 'BR', latitude, longitude,
    ...(speed === undefined && odometer === undefined ? {} : {
      telemetry: {
        timestamp: ts, ...(speed === undefined ? {} : { speed }),
        ...(odometer === undefined ? {} : { odometer }),
      },
    }),
  };
}

/** Has the days computed now that are due, instead of within five minutes. */
export async function refreshDays(admin: ClickHouse): Promise<void> {
  await admin.execute('SYSTEM REFRESH VIEW device_days_refresh');
  await admin.execute('SYSTEM WAIT VIEW device_days_refresh');
}

/** Has the time zones of days computed now that are due, instead of within a minute. */
export async function refreshZones(admin: ClickHouse): Promise<void> {
  await admin.execute('SYSTEM REFRESH VIEW device_day_zones_refresh');
  await admin.execute('SYSTEM WAIT VIEW device_day_zones_refresh');
}
