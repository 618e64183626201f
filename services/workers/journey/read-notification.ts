import type { NotificationRecorded } from '../../../schemas/generated/types.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import type { ReceivedNotification } from '../../domain/journey/journey.ts';
import type { Digest } from '../../kernel/digest.ts';
import { parseExact, sortedJson } from '../../kernel/exact-json.ts';
import { isDecoded, type LogRecord } from '../../kernel/record-log.ts';
import { originalRecordId, parseRecordId, REAPPLIES } from '../../kernel/record-id.ts';
import type { Fields } from '../../kernel/json-fields.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import type { ReadOutcome, ReadRecord } from '../common/read-record.ts';
import { CUT_SEALED, withoutSealed } from './cut-sealed.ts';

/**
 * Reads the notification in a record, with its id and receipt from key and headers. Beyond the
 * schema its date must be a moment and its headers must name the client. Content is everything that
 * was sent but the tracking number. Numbers differ by their digits as written, an image by its
 * hash, and sealed members by their keyed hash. So a repeat is known without any key. A record that
 * is asked for again is not read again: it may have megabytes.
 */
export function createNotificationReader(
  readRecord: ReadRecord, digest: Digest,
): (record: ConsumedRecord) => ReadOutcome<ReceivedNotification> {
  const read = readRecord('notifications');
  const readings = new WeakMap<ConsumedRecord, ReadOutcome<ReceivedNotification>>();
  return (record) => {
    const known = readings.get(record);
    if (known !== undefined) return known;
    const reading = readAnew(record);
    readings.set(record, reading);
    return reading;
  };

  function readAnew(whole: ConsumedRecord): ReadOutcome<ReceivedNotification> {
    const { record, reading } = readCut(whole) ?? { record: whole, reading: read(whole) };
    if (!reading.ok) return reading;
    const { notification } = reading.value;
    const occurredAtMs = epochMsOf(notification.payload.date);
    if (!isDecoded(record) || occurredAtMs === undefined) {
      return invalid('/notification/payload/date is no moment');
    }
    if (record.headers['client'] === undefined || record.headers['client'] === '') {
      return invalid('the header client is missing');
    }
    return { ok: true, value: receivedOf(record, reading.value, occurredAtMs, digest) };
  }

  /** Without the sealed text, if it can be cut out: it is long, and its keyed hash is enough. */
  function readCut(
    whole: ConsumedRecord,
  ): { record: LogRecord; reading: ReadOutcome<NotificationRecorded> } | undefined {
    const value = isDecoded(whole) ? withoutSealed(whole.value) : undefined;
    if (value === undefined || !isDecoded(whole)) return undefined;
    const record = { ...whole, value };
    const reading = read(record);
    const isCut = reading.ok && reading.value.personal?.sealed === CUT_SEALED;
    return isCut ? { record, reading } : undefined;
  }
}

function invalid(detail: string): ReadOutcome<never> {
  return { ok: false, poison: { stage: 'consume', code: 'record_invalid', detail } };
}

function receivedOf(
  record: LogRecord, { notification, owner }: NotificationRecorded,
  occurredAtMs: number, digest: Digest,
): ReceivedNotification {
  const { code, carrier_code, payload } = notification;
  const { client = '', source } = record.headers;
  const before = parseRecordId(record.headers[REAPPLIES]);
  const { topicId: topic_id, partition, offset } = originalRecordId(record);
  return {
    tracking_number: record.key,
    client_id: client,
    ingest_id: record.headers['ingest-id'] ?? '',
    source: source === 'pull' ? 'pull' : 'push',
    notification: { topic_id, partition, offset: Number(offset) },
    code,
    carrier_code,
    occurred_at: payload.date,
    occurred_at_ms: occurredAtMs,
    received_at_ms: receivedAtMs(record),
    content_hash: digest(contentOf(record)),
    payload,
    ...(owner === undefined ? {} : { owner }),
    ...(before === undefined ? {} : {
      reapplies: {
        topic_id: before.topicId, partition: before.partition, offset: Number(before.offset),
      },
    }),
  };
}

function contentOf(record: LogRecord): string {
  const fact = parseExact(record.value.toString('utf8')) as Fields;
  const { tracking_number: _, ...content } = fact['notification'] as Fields;
  const image = fact['image'] as Fields | undefined;
  const personal = fact['personal'] as Fields | undefined;
  const known = [content, image?.['sha256'] ?? null];
  return sortedJson(personal === undefined ? known : [...known, personal['mac']]);
}

function receivedAtMs(record: LogRecord): number {
  const sent = Number(record.headers['received-at']);
  return Number.isSafeInteger(sent) && sent > 0 ? sent : record.timestampMs;
}
