import type { LogRecord, RecordHeaders, UndecodableRecord } from '../../kernel/record-log.ts';

const MAGIC = 0;
const FRAME_BYTES = 5;

/** A record in the bytes that go over the wire; the same object is sent at every attempt. */
export interface FramedRecord {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly headers: readonly (readonly [name: Buffer, value: Buffer])[];
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

/** Puts a JSON value into Confluent's wire format: 0x00, schema id in 4 bytes, JSON. */
export function frameValue(json: Uint8Array, schemaId: number): Buffer {
  const framed = Buffer.allocUnsafe(FRAME_BYTES + json.length);
  framed[0] = MAGIC;
  framed.writeInt32BE(schemaId, 1);
  framed.set(json, FRAME_BYTES);
  return framed;
}

/** Bytes of record headers, in their order. */
export function frameHeaders(headers: RecordHeaders): (readonly [Buffer, Buffer])[] {
  return Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
}

/** Takes a record out of its frame, or hands it on as undecodable: it is never dropped. */
export function unframe(raw: RawRecord): AnyRecord {
  const { topic, topicId, partition, offset, key, value, headers, timestampMs } = raw;
  const place = { topic, topicId, partition, offset, headers, timestampMs };
  if (key === undefined || value === undefined || value.length <= FRAME_BYTES
    || value[0] !== MAGIC || value.readInt32BE(1) < 0) {
    return { ...place, rawKey: key, rawValue: value };
  }
  const json = value.subarray(FRAME_BYTES);
  return { ...place, key: key.toString('utf8'), value: json, schemaId: value.readInt32BE(1) };
}

/** Bytes that a record occupies in memory, for the limits on what waits. */
export function bytesOf(record: AnyRecord): number {
  const value = 'value' in record ? record.value.length : record.rawValue?.length ?? 0;
  return value + RECORD_OVERHEAD_BYTES;
}
