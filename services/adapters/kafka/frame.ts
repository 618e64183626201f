import type { LogRecord, RecordHeaders, UndecodableRecord } from '../../kernel/record-log.ts';

const MAGIC = 0;
const FRAME_BYTES = 5;

/** A record to be sent; nothing in it changes, so that every attempt sends the same bytes. */
export interface FramedRecord {
  readonly key: Buffer;
  /** The value without its frame, which `schemaId` belongs to. */
  readonly json: Uint8Array;
  readonly schemaId: number;
  readonly headers: RecordHeaders;
  /** True when packing it gains little. */
  readonly isDense: boolean;
  /** Bytes on the wire, with room for the framing of a record in a batch. */
  readonly bytes: number;
  readonly timestampMs: number;
}

/** What a client library read, in one shape for all of them. */
export interface RawRecord {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: Buffer | undefined;
  readonly value: Buffer | undefined;
  readonly headers: RecordHeaders;
  readonly timestampMs: number;
}

/** Either kind of record that a handler or reader gets. */
export type AnyRecord = LogRecord | UndecodableRecord;

/** Bytes that a record costs in a batch beside its own: lengths, deltas, attributes. */
export const RECORD_OVERHEAD_BYTES = 64;

/** Bytes of a value in its frame. */
export function framedLength({ json }: Pick<FramedRecord, 'json'>): number {
  return FRAME_BYTES + json.length;
}

/**
 * Writes the frame of a value in Confluent's wire format (0x00, schema id in 4
 * bytes), and gives the place of the JSON.
 */
export function writeFrame(
  target: Buffer, at: number, { schemaId }: Pick<FramedRecord, 'schemaId'>,
): number {
  target[at] = MAGIC;
  target.writeInt32BE(schemaId, at + 1);
  return at + FRAME_BYTES;
}

/** A value in its frame, as a buffer of its own. */
export function framedValue(value: Pick<FramedRecord, 'json' | 'schemaId'>): Buffer {
  const framed = Buffer.allocUnsafe(framedLength(value));
  framed.set(value.json, writeFrame(framed, 0, value));
  return framed;
}

/** Takes a record out of its frame, or hands it on as undecodable: it is never dropped. */
export function unframe(raw: RawRecord): AnyRecord {
  const { topic, topicId, partition, offset, key, value, headers, timestampMs } = raw;
  const origin = { topic, topicId, partition, offset, headers, timestampMs };
  if (key === undefined || value === undefined || value.length <= FRAME_BYTES
    || value[0] !== MAGIC || value.readInt32BE(1) < 0) {
    return { ...origin, rawKey: key, rawValue: value };
  }
  const json = value.subarray(FRAME_BYTES);
  return { ...origin, key: key.toString('utf8'), value: json, schemaId: value.readInt32BE(1) };
}

/** Bytes that a record occupies in memory, for the limits on what waits. */
export function bytesOf(record: AnyRecord): number {
  const value = 'value' in record ? record.value.length : record.rawValue?.length ?? 0;
  return value + RECORD_OVERHEAD_BYTES;
}
