import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';

/** A minute of the past, epoch seconds, and devices of which the place at it is compared. */
export interface FleetMoment {
  readonly at: number;
  readonly devices: readonly string[];
}

const DAY_S = 86_400;

/** The picture by the view, and the same from the fixes themselves. */
const BY_VIEW = `SELECT device_id, ts, latitude, longitude
  FROM v_fleet_at(at = {at:DateTime('UTC')}) WHERE device_id IN {devices:Array(String)}
  ORDER BY device_id`;
const BY_FIXES = `SELECT device_id, last.1 AS ts, last.2 AS latitude, last.3 AS longitude
  FROM (SELECT device_id, max((ts, latitude, longitude)) AS last FROM v_locations
        WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
          AND device_id IN {devices:Array(String)} AND (latitude != 0 OR longitude != 0)
        GROUP BY device_id)
  ORDER BY device_id`;

/** How many devices are elsewhere in the picture than by SQL over `v_locations`. */
export async function differingIn(
  store: Pick<ClickHouse, 'query'>, moments: readonly FleetMoment[],
): Promise<number> {
  let differing = 0;
  for (const { at, devices } of moments) {
    const until = Math.floor(at / 60) * 60 + 60;
    const seen = lines(await store.query(BY_VIEW, { at, devices }));
    const wanted = lines(await store.query(BY_FIXES, { since: until - DAY_S, until, devices }));
    differing += devices.filter((id) => seen.get(id) !== wanted.get(id)).length;
  }
  return differing;
}

function lines(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [String(row['device_id']), JSON.stringify(row)]));
}
