import {
  isDecoded, type LogHandler, type LogReader, type LogRecord, type RecordRefusal,
} from '../../kernel/record-log.ts';
import { framedValueOf } from './dead-letters.ts';
import type { LogRangeReader } from '../../kernel/log-watch.ts';
import type { ConsumedRecord } from './outcomes.ts';

/** What a record is in the form of our own schema, or why it can never be read. */
export type WrittenRecord =
  | { readonly ok: true; readonly record: LogRecord }
  | {
    readonly ok: false;
    readonly code: RecordRefusal['code'];
    readonly faults: readonly string[];
  };

/** The schemas by which records were written. */
export interface WriterSchemas {
  /** From memory: whether records of this schema are read as they are. */
  isOwn(topic: string, schemaId: number): boolean;
  /**
   * Reads a record by the schema that wrote it, without the members that ours does not know.
   * Rejects with `Unavailable` while the registry does not return the schema.
   */
  read(record: LogRecord): Promise<WrittenRecord>;
}

/**
 * Puts the schemas of writers before a worker. Records of our own schema, nearly all, cost one
 * comparison. Those of an older or newer release are read by theirs, and what no schema describes
 * reaches the worker as what it cannot read, so that it becomes a dead letter in its turn. While
 * the registry is away the batch waits.
 */
export function readByWriter(worker: LogHandler, schemas: WriterSchemas): LogHandler {
  const inOwnForm = createReading(schemas);
  return {
    onAssigned: (partitions) => worker.onAssigned(partitions),
    onRevoked: (partitions) => worker.onRevoked(partitions),
    onRecords: async (records) => worker.onRecords(await inOwnForm(records)),
  };
}

/** Puts them before a reader of whole topics too: a rebuild, or a worker that takes over. */
export function readerByWriter(reader: LogReader, schemas: WriterSchemas): LogReader {
  const inOwnForm = createReading(schemas);
  return {
    readToEnd: (topics, onRecords) => (
      reader.readToEnd(topics, async (records) => onRecords(await inOwnForm(records)))
    ),
  };
}

/** And before a reader of parts of topics. */
export function rangesByWriter(
  { readRanges }: Pick<LogRangeReader, 'readRanges'>, schemas: WriterSchemas,
): Pick<LogRangeReader, 'readRanges'> {
  const inOwnForm = createReading(schemas);
  return {
    readRanges: (ranges, onRecords) => (
      readRanges(ranges, async (records) => onRecords(await inOwnForm(records)))
    ),
  };
}

type Records = readonly ConsumedRecord[];

function createReading(schemas: WriterSchemas): (records: Records) => Records | Promise<Records> {
  const isOwn = (record: ConsumedRecord): boolean => (
    !isDecoded(record) || schemas.isOwn(record.topic, record.schemaId)
  );

  async function readForeign(records: Records): Promise<Records> {
    const read: ConsumedRecord[] = [];
    // The registry may learn an id at any time, so it is asked once for each batch.
    const unknown = new Map<number, RecordRefusal>();
    for (const record of records) {
      if (!isDecoded(record) || isOwn(record)) {
        read.push(record);
        continue;
      }
      const known = unknown.get(record.schemaId);
      const found = known === undefined ? await schemas.read(record) : undefined;
      if (found?.ok === true) {
        read.push(found.record);
        continue;
      }
      const refusal = known ?? {
        code: found?.code ?? 'schema_unknown',
        detail: [`schema ${record.schemaId}`, ...found?.faults ?? []].join(' '),
      };
      if (refusal.code === 'schema_unknown') unknown.set(record.schemaId, refusal);
      read.push(refused(record, refusal));
    }
    return read;
  }

  return (records) => (records.every(isOwn) ? records : readForeign(records));
}

function refused(record: LogRecord, refusal: RecordRefusal): ConsumedRecord {
  const { topic, topicId, partition, offset, headers, timestampMs } = record;
  return {
    topic, topicId, partition, offset, headers, timestampMs, refusal,
    rawKey: Buffer.from(record.key), rawValue: framedValueOf(record),
  };
}
