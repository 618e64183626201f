import type { Code } from './codes.ts';

/** Names and short texts that travel beside a record: `ingest-id`, `received-at`, `client`, … */
export type RecordHeaders = Readonly<Record<string, string>>;

/** A record to append. `value` is one JSON value in UTF-8, not framed yet. */
export interface OutgoingRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: RecordHeaders;
  /** True for a value of which packing would leave nearly all, as of a long sealed text. */
  readonly isDense?: boolean;
  /** The schema that wrote it, where it is written again; else the writer's own of its topic. */
  readonly schemaId?: number;
}

/**
 * The one way to write. Resolves only after every in-sync replica has the record (acks=all).
 * Rejects with `Unavailable` `log_unavailable` (certainly not written, the log is down),
 * `log_timeout` (outcome unknown at `deadlineMs`, an absolute `Clock` time) or `capacity_exhausted`
 * (bytes in waiting are at their limit); or with `RecordTooLarge`, which no repeat helps. Records
 * of one key keep the order of their appends. The bytes of a value must not change before that:
 * they are copied when they go out.
 */
export interface RecordLog {
  append(record: OutgoingRecord, deadlineMs: number): Promise<void>;
}

/** A record as read. `value` is the JSON without its frame; `schemaId` names its schema. */
export interface LogRecord {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly value: Buffer;
  readonly schemaId: number;
  readonly headers: RecordHeaders;
  readonly timestampMs: number;
}

/** Why a record in the wire format cannot be read: by what its writer's schema says of it. */
export interface RecordRefusal {
  readonly code: Extract<Code, 'undecodable' | 'schema_unknown' | 'record_invalid'>;
  readonly detail: string;
}

/** A record that cannot be read, as a rule out of no frame; it becomes a dead letter as it is. */
export interface UndecodableRecord {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly rawKey: Buffer | undefined;
  readonly rawValue: Buffer | undefined;
  readonly headers: RecordHeaders;
  readonly timestampMs: number;
  /** Only of a record that is in the wire format. */
  readonly refusal?: RecordRefusal;
}

/** One partition of a topic. `topicId` changes when a topic is created again under an old name. */
export interface TopicPartition {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
}

/** "Everything before `nextOffset` is done": what a handler hands back to be committed. */
export interface CommitOffset {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: bigint;
}

/**
 * What a worker does with its assignment. The three calls never overlap. `onRecords` gets
 * records in order per partition and returns only what is durably done; the consumer commits that
 * and nothing else. A rejection stops the consumer, and the same records come again.
 */
export interface LogHandler {
  onAssigned(partitions: readonly TopicPartition[]): Promise<void>;
  onRevoked(partitions: readonly TopicPartition[]): Promise<void>;
  onRecords(records: readonly (LogRecord | UndecodableRecord)[]): Promise<
    readonly CommitOffset[]
  >;
}

/** A member of a consumer group. `stop` finishes the current batch, commits it and leaves. */
export interface LogConsumer {
  start(handler: LogHandler): Promise<void>;
  stop(): Promise<void>;
}

/** Reads whole topics outside of any group: for rebuilds and for checkers. */
export interface LogReader {
  /**
   * Reads every partition of `topics` from its first record to the end that it had when the call
   * began, records of one partition in order.
   */
  readToEnd(
    topics: readonly string[],
    onRecords: (records: readonly (LogRecord | UndecodableRecord)[]) => Promise<void>,
  ): Promise<void>;
}

/** True when a record could be taken out of its frame and nothing refused it. */
export function isDecoded(record: LogRecord | UndecodableRecord): record is LogRecord {
  return 'value' in record;
}
