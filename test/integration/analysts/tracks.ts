import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';

const DAY_S = 86_400;

/** Midnight UTC three days ago, when all data of the queries begin, epoch seconds. */
export const START_TS = (Math.floor(Date.now() / 1_000 / DAY_S) - 3) * DAY_S;

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

/** Has days due again as soon as they were computed, instead of ten minutes later. */
export async function liftPace(admin: ClickHouse): Promise<void> {
  await admin.execute('CREATE OR REPLACE VIEW device_day_pace AS SELECT toUInt32(0) AS seconds');
}

/** Has the days computed now that are due, instead of within ten minutes or so. */
export async function refreshDays(admin: ClickHouse): Promise<void> {
  await liftPace(admin);
  await refreshed(admin, 'device_days_refresh', 'device_day_marks', 'computed_at');
}

/** Has the time zones of computed days computed now, instead of within a minute. */
export async function refreshZones(admin: ClickHouse): Promise<void> {
  await refreshed(admin, 'device_day_zones_refresh', 'place_day_marks', 'zone_computed_at');
}

/** Has the visits of computed days computed now, instead of within a minute. */
export async function refreshVisits(admin: ClickHouse): Promise<void> {
  await refreshed(admin, 'visit_days_refresh', 'place_day_marks', 'visits_computed_at');
}

/** Has the batteries of computed days computed now, instead of within a minute. */
export async function refreshBatteries(admin: ClickHouse): Promise<void> {
  await refreshed(admin, 'battery_days_refresh', 'place_day_marks', 'battery_computed_at');
}

/** Has the hours of providers summed up now, after the hours of their devices. */
export async function refreshProviderHours(admin: ClickHouse, days = 400): Promise<void> {
  for (;;) {
    await admin.execute('SYSTEM REFRESH VIEW provider_hours_refresh');
    await admin.execute('SYSTEM WAIT VIEW provider_hours_refresh');
    const waiting = await admin.query(`SELECT day FROM provider_hour_marks
      WHERE day >= today() - ${days}
      GROUP BY day HAVING max(marked_at) > max(computed_at) LIMIT 1`);
    if (waiting.length === 0) return;
  }
}

/** A refresh computes so many days at most; again until none has waited since it was marked. */
async function refreshed(
  admin: ClickHouse, view: string, marks: string, column: string,
): Promise<void> {
  for (;;) {
    await admin.execute(`SYSTEM REFRESH VIEW ${view}`);
    await admin.execute(`SYSTEM WAIT VIEW ${view}`);
    const waiting = await admin.query(`SELECT device_id FROM ${marks}
      GROUP BY device_id, day HAVING max(marked_at) > max(${column}) LIMIT 1`);
    if (waiting.length === 0) return;
  }
}
