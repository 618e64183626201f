import type { LogReader, LogRecord, UndecodableRecord } from '../../services/kernel/record-log.ts';

/** A record as read, for tests of who reads the log. */
export function aLogRecord(
  topic: string, offset: number, value: unknown, change: Partial<LogRecord> = {},
): LogRecord {
  return {
    topic, topicId: `${topic}-id`, partition: 0, offset: BigInt(offset), key: 'key',
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    schemaId: 7, headers: {}, timestampMs: 1_764_000_000_000, ...change,
  };
}

/** A record whose bytes are in no frame. */
export function anUndecodableRecord(topic: string, offset: number): UndecodableRecord {
  return {
    topic, topicId: `${topic}-id`, partition: 0, offset: BigInt(offset),
    rawKey: Buffer.from('key'), rawValue: Buffer.from('no frame'),
    headers: { 'ingest-id': 'i1' }, timestampMs: 1_764_000_000_000,
  };
}

/** A log in memory that is read whole, a few records at a time. */
export function fakeLogReader(
  records: readonly (LogRecord | UndecodableRecord)[], batchRecordsMax = 3,
): LogReader {
  return {
    async readToEnd(topics, onRecords) {
      const wanted = records.filter((record) => topics.includes(record.topic));
      for (let at = 0; at < wanted.length; at += batchRecordsMax) {
        await onRecords(wanted.slice(at, at + batchRecordsMax));
      }
    },
  };
}
