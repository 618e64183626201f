import { Unavailable } from '../../kernel/unavailable.ts';
import type {
  DeferredAnswer, DeferredEventRow, NotifiedPlace, PlatformHistory,
} from '../../kernel/platform-history.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

/** Only of notifications that were applied: another one says nothing about where it is. */
const LAST_PLACE = `
SELECT country_id, city, facility, agency_id, code, carrier_code,
       toUnixTimestamp64Milli(occurred_at) AS occurred_at_ms,
       toUnixTimestamp64Milli(received_at) AS received_at_ms
FROM shipment_notifications
WHERE tracking_number = {tracking_number:String}
  AND (country_id != '' OR city != '' OR facility != '' OR agency_id != '')
  AND (topic_id, k_partition, k_offset) IN (
      SELECT topic_id, notification_partition, notification_offset
      FROM shipment_journeys FINAL
      WHERE tracking_number = {tracking_number:String} AND outcome = 'applied')
ORDER BY occurred_at DESC, received_at DESC, k_offset DESC
LIMIT 1`;

/** The newest counts as in `v_deferred_answers`. */
const NEWEST_ANSWER = `
SELECT answers, toString(newest.1) AS answer_hash, newest.2 AS route_distance,
       newest.3 AS received_at_ms
FROM (SELECT count() AS answers,
             argMax((answer_hash, route_distance, toUnixTimestamp64Milli(received_at)),
                    (received_at, bitNot(k_rank))) AS newest
      FROM deferred_answers FINAL
      WHERE provider = {provider:String} AND request_id = {request_id:String})`;

const ANSWERED_EVENTS = `
SELECT name, toUnixTimestamp64Milli(start_date) AS start_date_ms,
       toUnixTimestamp64Milli(end_date) AS end_date_ms, distance, latitude, longitude, metadata
FROM deferred_events FINAL
WHERE provider = {provider:String} AND request_id = {request_id:String}
  AND answer_hash = {answer_hash:UInt64}
ORDER BY item
LIMIT 1000`;

/**
 * Reads it from an open store as the user `history`; each question is about one sorting key.
 * Without a store every call throws `Unavailable`.
 */
export function createPlatformHistory(
  store: Pick<ClickHouse, 'query'> | undefined,
): PlatformHistory {
  const ask = (
    sql: string, parameters: Readonly<Record<string, unknown>>,
  ): Promise<ResultRow[]> => {
    if (store === undefined) {
      throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
    }
    return store.query(sql, parameters);
  };
  return {
    async lastPlace(trackingNumber) {
      const [row] = await ask(LAST_PLACE, { tracking_number: trackingNumber });
      return row === undefined ? undefined : placeOf(row);
    },
    async deferredAnswer(provider, requestId) {
      const about = { provider, request_id: requestId };
      const [newest] = await ask(NEWEST_ANSWER, about);
      if (newest === undefined || Number(newest['answers']) === 0) return undefined;
      const rows = await ask(ANSWERED_EVENTS, { ...about, answer_hash: newest['answer_hash'] });
      return answerOf(newest, rows);
    },
  };
}

function placeOf(row: ResultRow): NotifiedPlace {
  const text = (name: string): string => String(row[name]);
  const named = ['country_id', 'city', 'facility', 'agency_id'] as const;
  return {
    ...Object.fromEntries(named.flatMap((name) => text(name) === '' ? [] : [[name, text(name)]])),
    code: text('code'), carrier_code: text('carrier_code'),
    occurred_at_ms: Number(row['occurred_at_ms']), received_at_ms: Number(row['received_at_ms']),
  };
}

function answerOf(newest: ResultRow, events: readonly ResultRow[]): DeferredAnswer {
  return {
    answers: Number(newest['answers']),
    route_distance: Number(newest['route_distance']),
    received_at_ms: Number(newest['received_at_ms']),
    events: events.map(eventOf),
  };
}

function eventOf(row: ResultRow): DeferredEventRow {
  const numbers = ['distance', 'latitude', 'longitude'] as const;
  return {
    name: String(row['name']),
    start_date_ms: Number(row['start_date_ms']), end_date_ms: Number(row['end_date_ms']),
    ...Object.fromEntries(numbers.flatMap((name) => (
      row[name] === null || row[name] === undefined ? [] : [[name, Number(row[name])]]
    ))),
    metadata: row['metadata'] as DeferredEventRow['metadata'],
  };
}
