import type {
  JourneyRecorded, NotificationRecordId, ShipmentState,
} from '../../kernel/shipments.ts';

/** A place in the log as the tables name it; integers of 64 bits come as decimal text. */
export interface RecordIdRow {
  readonly topic_id: string;
  readonly partition: number;
  readonly offset: string;
  readonly body_bytes: number;
}

/** A notification as {@link BODIES} answers it; `image` and `personal` are JSON text or empty. */
export interface BodyRow extends Omit<RecordIdRow, 'body_bytes'> {
  readonly body: string;
  readonly image: string;
  readonly personal: string;
  readonly received_at_ms: string;
}

type Copied = 'tracking_number' | 'client_id' | 'ingest_id' | 'source' | 'code' | 'carrier_code'
  | 'occurred_at' | 'outcome' | 'rule' | 'unmapped' | 'content_hash' | 'catalogue' | 'carrier';

/** A journey entry as {@link JOURNEY} answers it; what was absent is empty. */
export interface JourneyRow extends Omit<RecordIdRow, 'body_bytes'>, Pick<JourneyRecorded, Copied> {
  readonly received_at_ms: string;
  readonly lacks: readonly string[];
  readonly status_before: string;
  readonly has_state: boolean;
  readonly status: string;
  readonly state_code: string;
  readonly state_carrier_code: string;
  readonly final: boolean;
  readonly state_occurred_at_ms: string;
}

// Topics in the order in which they were first written to; one that is not known has rank 0, and
// so does the place before the first page.
const TOPICS = `
WITH (SELECT groupArray(topic_id)
      FROM (SELECT topic_id FROM notification_topics
            GROUP BY topic_id ORDER BY min(since), topic_id)) AS topics`;
const BEHIND = '> (indexOf(topics, {topic_id:String}), {partition:UInt16}, {offset:UInt64})';

// What other carriers notify about a number is kept apart, and so is what the carriers before did.
const OF_ITS_CARRIER = `carrier = {carrier:String} AND client_id = {carrier:String}
  AND rule NOT IN ('other_carrier', 'reapplied_before')`;

/**
 * Places of notifications behind a place, of which the outcome is known, with the bytes of their
 * texts, once each. Parameters: tracking_number, carrier; topic_id, partition and offset of the
 * place (topic_id empty for the first page); limit.
 */
export const RECORD_IDS = `${TOPICS}
SELECT topic_id, k_partition AS partition, k_offset AS offset, any(body_bytes) AS body_bytes
FROM notification_bodies
WHERE tracking_number = {tracking_number:String}
  AND (indexOf(topics, topic_id), k_partition, k_offset) ${BEHIND}
  AND (topic_id, k_partition, k_offset) IN (
      SELECT topic_id, notification_partition, notification_offset
      FROM shipment_journeys FINAL
      WHERE tracking_number = {tracking_number:String} AND ${OF_ITS_CARRIER})
GROUP BY topic_id, k_partition, k_offset
ORDER BY indexOf(topics, topic_id), partition, offset
LIMIT {limit:UInt32}`;

/**
 * Notifications of one range of offsets. Rows of one place are the same, so any one does; FINAL
 * would read the texts of the whole shipment. Parameters: tracking_number, topic_id, partition,
 * first, last.
 */
export const BODIES = `
SELECT topic_id, k_partition AS partition, k_offset AS offset, body, image, personal,
       toUnixTimestamp64Milli(received_at) AS received_at_ms
FROM notification_bodies
PREWHERE tracking_number = {tracking_number:String} AND topic_id = {topic_id:String}
  AND k_partition = {partition:UInt16} AND k_offset BETWEEN {first:UInt64} AND {last:UInt64}
ORDER BY offset
LIMIT 1 BY offset`;

/**
 * Journey entries behind a record id, the first of each; parameters as those of {@link RECORD_IDS}.
 */
export const JOURNEY = `${TOPICS}
SELECT topic_id, notification_partition AS partition, notification_offset AS offset,
       tracking_number, client_id, ingest_id, source, code, carrier_code, occurred_at,
       toUnixTimestamp64Milli(received_at) AS received_at_ms, outcome, rule, unmapped,
       lacks, status_before, content_hash, catalogue, carrier, has_state, status, state_code,
       state_carrier_code, final, state_occurred_at_ms
FROM shipment_journeys FINAL
WHERE tracking_number = {tracking_number:String}
  AND (indexOf(topics, topic_id), notification_partition, notification_offset) ${BEHIND}
  AND ${OF_ITS_CARRIER}
ORDER BY indexOf(topics, topic_id), partition, offset
LIMIT {limit:UInt32}`;

/** Where the log keeps a row's notification. */
export function recordIdOf(
  { topic_id, partition, offset }: Omit<RecordIdRow, 'body_bytes'>,
): NotificationRecordId {
  return { topic_id, partition, offset: Number(offset) };
}

/** The journey entry as it was recorded. */
export function journeyOf(row: JourneyRow): JourneyRecorded {
  return {
    type: 'JourneyRecorded',
    tracking_number: row.tracking_number,
    client_id: row.client_id,
    ingest_id: row.ingest_id,
    source: row.source,
    notification: recordIdOf(row),
    code: row.code,
    carrier_code: row.carrier_code,
    occurred_at: row.occurred_at,
    received_at_ms: Number(row.received_at_ms),
    outcome: row.outcome,
    rule: row.rule,
    unmapped: row.unmapped,
    ...(row.lacks.length === 0 ? {} : { lacks: [...row.lacks] }),
    ...(row.status_before === '' ? {} : { status_before: row.status_before }),
    content_hash: row.content_hash,
    catalogue: row.catalogue,
    carrier: row.carrier,
    ...(row.has_state ? { state: stateOf(row) } : {}),
  };
}

function stateOf(row: JourneyRow): ShipmentState {
  return {
    ...(row.status === '' ? {} : { status: row.status }),
    code: row.state_code,
    carrier_code: row.state_carrier_code,
    final: row.final,
    occurred_at_ms: Number(row.state_occurred_at_ms),
  };
}
