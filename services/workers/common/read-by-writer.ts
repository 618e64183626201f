import {
  isDecoded, type CommitOffset, type LogHandler, type LogRecord,
} from '../../kernel/record-log.ts';
import type { DeadLetters } from './dead-letters.ts';
import { commitOffsets, type ConsumedRecord } from './outcomes.ts';

/** What a record is in the form of our own schema, or why it can never be read. */
export type WrittenRecord =
  | { readonly ok: true; readonly record: LogRecord }
  | {
    readonly ok: false;
    readonly code: 'undecodable' | 'schema_unknown' | 'record_invalid';
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
 * becomes a dead letter; while the registry is away the batch waits.
 */
export function readByWriter(
  worker: LogHandler, schemas: WriterSchemas, deadLetters: DeadLetters,
): LogHandler {
  const isOwn = (record: ConsumedRecord): boolean => (
    !isDecoded(record) || schemas.isOwn(record.topic, record.schemaId)
  );

  async function onForeign(
    records: readonly ConsumedRecord[],
  ): Promise<readonly CommitOffset[]> {
    const readable: ConsumedRecord[] = [];
    const refused = new Set<ConsumedRecord>();
    for (const record of records) {
      if (!isDecoded(record) || isOwn(record)) {
        readable.push(record);
        continue;
      }
      const found = await schemas.read(record);
      if (found.ok) {
        readable.push(found.record);
        continue;
      }
      const detail = [`schema ${record.schemaId}`, ...found.faults].join(' ');
      await deadLetters.write(record, 'consume', found.code, detail);
      refused.add(record);
    }
    const done = readable.length === 0 ? [] : await worker.onRecords(readable);
    return withRefused(records, refused, done);
  }

  return {
    onAssigned: (partitions) => worker.onAssigned(partitions),
    onRevoked: (partitions) => worker.onRevoked(partitions),
    onRecords: (records) => (
      records.every(isOwn) ? worker.onRecords(records) : onForeign(records)
    ),
  };
}

/** A dead letter is done too, but only where everything before it in its partition is. */
function withRefused(
  records: readonly ConsumedRecord[],
  refused: ReadonlySet<ConsumedRecord>,
  done: readonly CommitOffset[],
): readonly CommitOffset[] {
  const next = new Map<string, bigint>(done.map((offset) => (
    [`${offset.topic}:${offset.partition}`, offset.nextOffset]
  )));
  const open = new Set<string>();
  const last: ConsumedRecord[] = [];
  for (const record of records) {
    const name = `${record.topic}:${record.partition}`;
    if (open.has(name)) continue;
    const isDone = refused.has(record) || record.offset < (next.get(name) ?? -1n);
    if (isDone) last.push(record);
    else open.add(name);
  }
  const found = new Map([...done, ...commitOffsets(last)].map((offset) => (
    [`${offset.topic}:${offset.partition}`, offset] as const
  )));
  return [...found.values()].map((offset) => {
    const promised = next.get(`${offset.topic}:${offset.partition}`) ?? 0n;
    return promised > offset.nextOffset ? { ...offset, nextOffset: promised } : offset;
  });
}
