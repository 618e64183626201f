import { EARTH_BOX } from '../../kernel/fixes.ts';
import type { PastFix, PastFleet } from '../../kernel/past-fleet.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

/** A west greater than the east crosses the 180th meridian. */
const FLEET = `
SELECT device_id, client_id, toUnixTimestamp(ts) AS timestamp, latitude, longitude, country_id,
       provider
FROM v_fleet_at(at = {at:DateTime('UTC')})
WHERE device_id > {after:String} AND ({client:String} = '' OR client_id = {client:String})
  AND ({provider:String} = '' OR provider = {provider:String})
  AND latitude BETWEEN {south:Float64} AND {north:Float64}
  AND if({west:Float64} <= {east:Float64}, longitude BETWEEN {west:Float64} AND {east:Float64},
         longitude >= {west:Float64} OR longitude <= {east:Float64})
ORDER BY device_id
LIMIT {rows:UInt32}`;

/**
 * Reads fleets of the past from an open store, as the user `pictures`; without a store every call
 * throws `Unavailable`. One row more than asked for says whether there is a next page.
 */
export function createPastFleet(store: Pick<ClickHouse, 'query'> | undefined): PastFleet {
  return {
    async find({ atMs, clientId = '', box = EARTH_BOX, provider = '', after = '', limit }) {
      if (store === undefined) {
        throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
      }
      const rows = await store.query(FLEET, {
        at: Math.floor(atMs / 1_000), client: clientId, provider, after, rows: limit + 1,
        south: box.min_latitude, north: box.max_latitude,
        west: box.min_longitude, east: box.max_longitude,
      });
      const fixes = rows.slice(0, limit).map(fixOf);
      return { fixes, next: rows.length > limit ? fixes.at(-1)?.device_id : undefined };
    },
  };
}

function fixOf(row: ResultRow): PastFix {
  return {
    device_id: String(row['device_id']), client_id: String(row['client_id']),
    timestamp: Number(row['timestamp']),
    latitude: Number(row['latitude']), longitude: Number(row['longitude']),
    country_id: String(row['country_id']), provider: String(row['provider']),
  };
}
