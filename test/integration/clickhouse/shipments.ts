import { expect } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { RowSink } from '../../../services/kernel/row-sink.ts';
import type { RecordedNotification } from '../../../services/kernel/shipment-history.ts';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import { spliceMetadata } from '../../../services/workers/table-writer/splice-metadata.ts';

let inserts = 0;

/** A notification as the log has it. */
export function notificationRecord(
  trackingNumber: string, { recordId, text, image, received_at_ms }: RecordedNotification,
  client = '100000000000042',
): LogRecord {
  const rest = image === undefined ? '' : `,"image":${JSON.stringify(image)}`;
  return {
    topic: 'shipment.notifications.v1', topicId: recordId.topic_id, partition: recordId.partition,
    offset: BigInt(recordId.offset), key: trackingNumber, schemaId: 1, timestampMs: received_at_ms,
    value: Buffer.from(`{"type":"NotificationRecorded","notification":${text}${rest}}`),
    headers: {
      'received-at': String(received_at_ms), client, 'ingest-id': 'call-1', source: 'push',
    },
  };
}

/** The outcome of a notification, at `offset` of the log of journeys. */
export function journeyRecord(event: JourneyRecorded, offset: number): LogRecord {
  const { tracking_number: key, client_id: client, received_at_ms } = event;
  return {
    topic: 'shipment.journey.v1', topicId: 'journey-1', partition: 0, offset: BigInt(offset), key,
    schemaId: 1, timestampMs: received_at_ms, value: Buffer.from(JSON.stringify(event)),
    headers: { 'received-at': String(received_at_ms), client, 'ingest-id': event.ingest_id },
  };
}

/** Inserts records as the table writer does, under a token of their own. */
export async function writeLines(
  sink: RowSink, table: string, records: readonly LogRecord[],
): Promise<void> {
  const lines = records.map((each) => spliceMetadata(each) ?? Buffer.alloc(0));
  expect(await sink.insert(table, lines, `insert-${inserts += 1}`)).toEqual({ kind: 'stored' });
}
