import { epochMsOf } from '../../domain/journey/instant.ts';
import type { ReceivedNotification } from '../../domain/journey/journey.ts';
import type { Digest } from '../../kernel/digest.ts';
import { parseExact, sortedJson } from '../../kernel/exact-json.ts';
import type { LogRecord } from '../../kernel/record-log.ts';
import { originalRecordId } from '../../kernel/record-id.ts';
import { all, isFields, isText, parseFields, type Fields } from '../../kernel/json-fields.ts';

/**
 * The notification in a record, with its place and receipt from key and headers. Undefined when it
 * lacks what it must have. Content is everything that was sent but the tracking number; it is told
 * apart by the digits as they were written, an image by its hash, and what is sealed by its keyed
 * hash, so that a repeat is known without any key.
 */
export function readNotification(
  record: LogRecord, digest: Digest,
): ReceivedNotification | undefined {
  const fields = parseFields(record.value);
  const told = fields?.['notification'];
  if (fields?.['type'] !== 'NotificationRecorded' || !isFields(told)) return undefined;
  if (!all(told, ['code', 'carrier_code'], isText)) return undefined;
  const occurredAt = isFields(told['payload']) ? told['payload']['date'] : undefined;
  const occurredAtMs = isText(occurredAt) ? epochMsOf(occurredAt) : undefined;
  const { client, source } = record.headers;
  if (!isText(occurredAt) || occurredAtMs === undefined || !isText(client)) return undefined;
  const { topicId: topic_id, partition, offset } = originalRecordId(record);
  return {
    tracking_number: record.key,
    client_id: client,
    ingest_id: record.headers['ingest-id'] ?? '',
    source: source === 'pull' ? 'pull' : 'push',
    notification: { topic_id, partition, offset: Number(offset) },
    code: String(told['code']),
    carrier_code: String(told['carrier_code']),
    occurred_at: occurredAt,
    occurred_at_ms: occurredAtMs,
    received_at_ms: receivedAtMs(record),
    content_hash: digest(contentOf(record)),
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
