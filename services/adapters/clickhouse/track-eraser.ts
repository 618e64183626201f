import { ClickHouseError } from '@clickhouse/client';
import type { TrackEraser } from '../../kernel/track-eraser.ts';
import type { ClickHouse } from './clickhouse.ts';
import { minutesAgain } from './minutes-again.ts';

const OF_DEVICE = 'device_id = {device:String}';
const UNTIL = 'received_at <= fromUnixTimestamp64Milli({until:Int64}, \'UTC\')';
const ERASED = `${OF_DEVICE} AND ${UNTIL}`;
const ANSWERS = `has({transports:Array(String)}, toString(transport_id)) AND ${UNTIL}`;

/** Tables of what was sent, each row with its time of receipt. */
const SENT = [
  ['locations', ERASED], ['telemetry', ERASED], ['location_outliers', ERASED],
  ['telemetry_events', ERASED], ['deferred_answers', ANSWERS],
] as const;

/** What is computed of it; made again of what is left. */
const COMPUTED = [
  'device_last', 'device_minutes', 'fixes_by_place', 'device_days', 'device_day_marks',
  'device_day_states', 'provider_days', 'device_day_zones', 'visit_days', 'battery_days',
  'place_day_marks',
];

/** What computes days; one that runs may have read what is gone now. */
const REFRESHES = [
  'device_days_refresh', 'device_day_zones_refresh', 'visit_days_refresh', 'battery_days_refresh',
];

/** As ClickHouse says that the newest refresh of a view has ended with an error. */
const REFRESH_FAILED = '730';

/** Raw records that could not be applied; their key is the device or the transport. */
const DEAD_LETTERS = `${UNTIL} AND (key = {device:String}
    AND origin_topic IN ('rtt.locations.v1', 'rtt.overflow-locations.v1', 'rtt.telemetry-events.v1')
  OR has({transports:Array(String)}, key) AND origin_topic = 'rtt.deferred-events.v1')`;

/** In the ledger the records stay, with no items to account for: else they would seem lost. */
const LEDGER = `ALTER TABLE ingest_records UPDATE kind = 'erased'
  WHERE ${UNTIL} AND (key = {device:String} AND kind IN ('locations', 'telemetry_events')
    OR has({transports:Array(String)}, key) AND kind = 'deferred_events')`;

/** The balances of the periods in which records were received of which nothing is left. */
const BALANCES_AGAIN = `INSERT INTO ingest_period_marks (period, marked_at)
  SELECT DISTINCT toStartOfTenMinutes(received_at), now64(3, 'UTC') FROM ingest_records
  WHERE ${UNTIL} AND kind = 'erased' AND (key = {device:String}
    OR has({transports:Array(String)}, key))`;

/** Events have no transport of their own; they go before their answers. */
const ANSWERED = `ALTER TABLE deferred_events DELETE
  WHERE ${UNTIL} AND (provider, request_id, answer_hash) IN (
    SELECT provider, request_id, answer_hash FROM deferred_answers WHERE ${ANSWERS})
  SETTINGS mutations_sync = 2, allow_nondeterministic_mutations = 1`;

/** The days of which providers' hours are summed up again, once the device is not in them. */
const DAYS_OF_HOURS = `SELECT DISTINCT day FROM device_day_zones WHERE ${OF_DEVICE}`;
const HOURS_AGAIN = `INSERT INTO provider_hour_marks (day, marked_at)
  SELECT arrayJoin({days:Array(Date)}), now64(3, 'UTC')`;

// Every replica has rewritten its parts when the statement ends.
const WAITS = 'SETTINGS mutations_sync = 2';

/** As in_flat_fixes_to_device_last, but which item of its post a fix was is not known any more. */
const LAST_AGAIN = `INSERT INTO device_last
  SELECT device_id, max(l.ts) AS ts,
         argMaxState((l.ts, lat_e7, lon_e7, toString(country_id), speed, bearing, ignition,
                      toString(client_id), toString(provider), transport_id, received_at),
                     (l.ts, bitNot(k_rank), toUInt16(0))) AS place
  FROM locations AS l
  WHERE ${OF_DEVICE} AND bitAnd(flag_bits, 3) = 0
  GROUP BY device_id`;

/** Its own view marks the days to be computed. */
const MINUTES_AGAIN = minutesAgain(OF_DEVICE);

/** As in_flat_fixes_to_fixes_by_place. */
const PLACES_AGAIN = `INSERT INTO fixes_by_place
  SELECT toDate(ts) AS day, toInt16(floor(lat_e7 / 200000)) AS lat_cell,
         toInt16(floor(lon_e7 / 200000)) AS lon_cell, device_id, ts, lat_e7, lon_e7,
         toDate(ts) != toDate(received_at) AS is_late
  FROM locations
  WHERE ${OF_DEVICE} AND bitAnd(flag_bits, 2) = 0`;

/**
 * Erases positions by mutations, which rewrite the parts: nothing of a row stays on the disk when
 * they are done and old parts are gone (`old_parts_lifetime`, 8 minutes). For a user that may alter
 * tables.
 */
export function createTrackEraser(
  store: Pick<ClickHouse, 'query' | 'execute'>,
): TrackEraser {
  return {
    async erase(device, transports, until) {
      const parameters = { device, transports, until };
      await store.execute(ANSWERED, parameters);
      let rows = 0;
      for (const [table, which] of SENT) {
        const [found] = await store.query(
          `SELECT count() AS rows FROM ${table} WHERE ${which}`, parameters,
        );
        rows += Number(found?.['rows'] ?? 0);
        await store.execute(`ALTER TABLE ${table} DELETE WHERE ${which} ${WAITS}`, parameters);
      }
      await store.execute(
        `ALTER TABLE dead_letters DELETE WHERE ${DEAD_LETTERS} ${WAITS}`, parameters,
      );
      await store.execute(`${LEDGER} ${WAITS}`, parameters);
      await store.execute(BALANCES_AGAIN, parameters);
      for (const view of REFRESHES) await untilAtRest(store, view);
      const days = (await store.query(DAYS_OF_HOURS, parameters)).map(({ day }) => String(day));
      for (const table of COMPUTED) {
        await store.execute(`ALTER TABLE ${table} DELETE WHERE ${OF_DEVICE} ${WAITS}`, parameters);
      }
      await store.execute(HOURS_AGAIN, { days });
      await store.execute(LAST_AGAIN, parameters);
      await store.execute(MINUTES_AGAIN, parameters);
      await store.execute(PLACES_AGAIN, parameters);
      return rows;
    },
  };
}

/** Waits until no refresh of a view runs. One that failed, as while a server starts, has ended. */
async function untilAtRest(store: Pick<ClickHouse, 'execute'>, view: string): Promise<void> {
  try {
    await store.execute(`SYSTEM WAIT VIEW ${view}`);
  } catch (error) {
    const cause = error instanceof Error ? error.cause ?? error : undefined;
    if (!(cause instanceof ClickHouseError && cause.code === REFRESH_FAILED)) throw error;
  }
}
