import {
  GAP_SECONDS, ODD_FIXES_MAX, POSTS_MAX, POSTS_SECONDS_MAX, READING_NAMES, type DeviceTracks,
  type Thinned, type TrackFix, type TrackOddFix, type TrackPost, type TrackReading,
} from '../../kernel/device-tracks.ts';
import { isUnavailable, Unavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

const TIME = 'device = {device:String}, since = {since:DateTime(\'UTC\')}, until = {until:DateTime(\'UTC\')}';
const OWN = '({client:String} = \'\' OR client_id = {client:String})';
const EVERY = 'greatest(1, intDiv(total + {limit:UInt32} - 1, {limit:UInt32})) AS every';

const COLUMNS = `toUnixTimestamp(ts) AS timestamp, latitude, longitude, country_id, provider,
           toUnixTimestamp64Milli(received_at) AS received_at_ms, flags, speed, bearing, accuracy,
           ignition, odometer`;
/** Of two fixes in one second the order is that of all that they have, so that it is always one. */
const FIXES = `
SELECT *, ${EVERY}
FROM (
    SELECT ${COLUMNS}, row_number() OVER by_time AS number, count() OVER () AS total,
           timestamp - lagInFrame(timestamp, 1, timestamp) OVER beside AS before_s,
           leadInFrame(timestamp, 1, timestamp) OVER beside - timestamp AS behind_s
    FROM v_device_track(${TIME})
    WHERE ${OWN}
    WINDOW by_time AS (ORDER BY timestamp, latitude, longitude, received_at_ms, speed, bearing,
                       accuracy, ignition, odometer, country_id, provider),
           beside AS (ORDER BY timestamp ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING))
WHERE (total - number) % every = 0 OR before_s > ${GAP_SECONDS} OR behind_s > ${GAP_SECONDS}
ORDER BY number`;

const READINGS = `
SELECT *, ${EVERY}
FROM (
    SELECT toUnixTimestamp64Milli(ts) AS at_ms, ${READING_NAMES.join(', ')},
           row_number() OVER (ORDER BY ts, ${READING_NAMES.join(', ')}) AS number,
           count() OVER () AS total
    FROM v_device_readings(${TIME})
    WHERE ${OWN})
WHERE (total - number) % every = 0
ORDER BY number`;

const ODD = `
SELECT *
FROM (
    SELECT kind, toUnixTimestamp64Milli(ts) AS at_ms, latitude, longitude, off_s,
           toUnixTimestamp64Milli(received_at) AS received_at_ms, provider,
           count() OVER () AS total
    FROM v_odd_fixes(${TIME})
    WHERE ${OWN}
    ORDER BY at_ms DESC, kind, latitude, longitude, received_at_ms
    LIMIT ${ODD_FIXES_MAX})
ORDER BY at_ms, kind, latitude, longitude, received_at_ms`;

const OUTCOMES = ['stored', 'duplicate', 'outlier', 'dead_lettered', 'waiting'] as const;

const POSTS = `
SELECT *, ${EVERY}
FROM (
    SELECT ingest_id, kind, provider, toUnixTimestamp64Milli(received_at) AS received_at_ms, items,
           ${OUTCOMES.join(', ')}, code,
           row_number() OVER (ORDER BY received_at_ms, ingest_id, kind) AS number,
           count() OVER () AS total
    FROM device_posts(${TIME})
    WHERE ${OWN})
WHERE (total - number) % every = 0 OR stored != items
ORDER BY number DESC
LIMIT ${POSTS_MAX}
SETTINGS max_execution_time = ${POSTS_SECONDS_MAX}`;

/**
 * Reads ways of devices from an open store, as the user `pictures`; without a store every call
 * throws `Unavailable`.
 */
export function createDeviceTracks(store: Pick<ClickHouse, 'query'> | undefined): DeviceTracks {
  return {
    async find({ deviceId, clientId = '', sinceSeconds, untilSeconds, limit }) {
      if (store === undefined) {
        throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
      }
      const asked = {
        device: deviceId, client: clientId, since: sinceSeconds, until: untilSeconds, limit,
      };
      const [fixes, readings, odd, posts] = await Promise.all([
        store.query(FIXES, asked), store.query(READINGS, asked), store.query(ODD, asked),
        store.query(POSTS, asked).catch(withoutPosts),
      ]);
      return {
        fixes: thinned(fixes, fixOf), readings: thinned(readings, readingOf),
        posts: posts === undefined ? undefined : thinned(posts.toReversed(), postOf),
        oddFixes: odd.map(oddFixOf), oddTotal: Number(odd[0]?.['total'] ?? 0),
      };
    },
  };
}

/** The way is there without them: only an outage of the store fails the other questions too. */
function withoutPosts(error: unknown): undefined {
  if (!isUnavailable(error)) throw error;
}

function thinned<Item>(
  rows: readonly ResultRow[], itemOf: (row: ResultRow) => Item,
): Thinned<Item> {
  const { total = 0, every = 1 } = rows[0] ?? {};
  return { items: rows.map(itemOf), total: Number(total), every: Number(every) };
}

function fixOf(row: ResultRow): TrackFix {
  const gap = Number(row['before_s']);
  return {
    timestamp: Number(row['timestamp']), ...whereOf(row), country_id: String(row['country_id']),
    flags: row['flags'] as readonly string[], speed: numberOf(row['speed']),
    bearing: numberOf(row['bearing']), accuracy: numberOf(row['accuracy']),
    ignition: row['ignition'] === null ? undefined : Boolean(row['ignition']),
    odometer: numberOf(row['odometer']), gap_seconds: gap > GAP_SECONDS ? gap : undefined,
  };
}

function readingOf(row: ResultRow): TrackReading {
  return {
    at_ms: Number(row['at_ms']),
    ...Object.fromEntries(READING_NAMES.flatMap((name) => (
      row[name] === null ? [] : [[name, Number(row[name])]]
    ))),
  };
}

function oddFixOf(row: ResultRow): TrackOddFix {
  return {
    kind: String(row['kind']), timestamp: Math.floor(Number(row['at_ms']) / 1_000),
    ...whereOf(row), off_seconds: Number(row['off_s']),
  };
}

function postOf(row: ResultRow): TrackPost {
  const countOf = (name: (typeof OUTCOMES)[number] | 'items'): number => Number(row[name]);
  return {
    ingest_id: String(row['ingest_id']), kind: row['kind'] as TrackPost['kind'],
    provider: String(row['provider']), received_at_ms: Number(row['received_at_ms']),
    items: countOf('items'), stored: countOf('stored'), duplicate: countOf('duplicate'),
    outlier: countOf('outlier'), dead_lettered: countOf('dead_lettered'),
    waiting: countOf('waiting'), code: String(row['code']),
  };
}

function whereOf(
  row: ResultRow,
): Pick<TrackFix, 'latitude' | 'longitude' | 'provider' | 'received_at_ms'> {
  return {
    latitude: Number(row['latitude']), longitude: Number(row['longitude']),
    provider: String(row['provider']), received_at_ms: Number(row['received_at_ms']),
  };
}

function numberOf(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
