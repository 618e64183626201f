import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import { framedLength, writeValue, type FramedRecord } from '../frame.ts';
import { textLength, writeText } from '../plain-text.ts';

/** Who writes a batch, and its place among the batches of that writer and partition. */
export interface ProducerSequence {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** Sequence number of the first record. */
  readonly sequence: number;
}

// Bytes of the head and places in it (Kafka's record batch, magic 2).
const HEAD_BYTES = 61;
const LENGTH_AT = 8;
const LEADER_EPOCH_AT = 12;
const MAGIC_AT = 16;
const CRC_AT = 17;
const ATTRIBUTES_AT = 21;
const LAST_DELTA_AT = 23;
const FIRST_TIME_AT = 27;
const LAST_TIME_AT = 35;
const PRODUCER_ID_AT = 43;
const PRODUCER_EPOCH_AT = 51;
const SEQUENCE_AT = 53;
const COUNT_AT = 57;

const MAGIC = 2;
const ZSTD = 4;
const NO_LEADER_EPOCH = -1;
const ZSTD_LEVEL = 1;
/** A batch above this is packed beside the event loop; below it, that costs more than it gives. */
const PACKED_AT_ONCE_BYTES_MAX = 262_144;
const packBeside = promisify(zstdCompress);

/**
 * Records of one partition as one batch in the format of the log, written into one buffer. The same
 * records at the same place give the same bytes, packed or not. A large batch is packed in another
 * thread, and is a promise until then.
 */
export function encodeBatch(
  records: readonly FramedRecord[], producerSequence: ProducerSequence, isPacked: boolean,
): Buffer | Promise<Buffer> {
  const plain = plainBatch(records);
  if (!isPacked) return withHead(plain, records, producerSequence, 0);
  const body = plain.subarray(HEAD_BYTES);
  const options = {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL }, pledgedSrcSize: body.length,
  };
  const around = (small: Buffer): Buffer => withHead(
    Buffer.concat([plain.subarray(0, HEAD_BYTES), small]), records, producerSequence, ZSTD,
  );
  return body.length <= PACKED_AT_ONCE_BYTES_MAX
    ? around(zstdCompressSync(body, options))
    : packBeside(body, options).then(around);
}

/** The records one behind the other, with room for the head before them. */
function plainBatch(records: readonly FramedRecord[]): Buffer {
  const firstMs = records[0]?.timestampMs ?? 0;
  const lengths = records.map((record, at) => lengthOf(record, at, record.timestampMs - firstMs));
  const bytes = lengths.reduce((sum, length) => sum + varintBytes(length) + length, 0);
  const plain = Buffer.allocUnsafe(HEAD_BYTES + bytes);
  let end = HEAD_BYTES;
  records.forEach((record, at) => {
    end = writeRecord(plain, end, record, at, lengths[at] ?? 0, firstMs);
  });
  return plain;
}

/** Writes the head of a batch over its first bytes. */
function withHead(
  batch: Buffer, records: readonly FramedRecord[], producerSequence: ProducerSequence,
  attributes: number,
): Buffer {
  const firstMs = records[0]?.timestampMs ?? 0;
  const lastMs = records.reduce((last, { timestampMs }) => Math.max(last, timestampMs), firstMs);
  batch.writeBigInt64BE(0n, 0);
  batch.writeInt32BE(batch.length - LEADER_EPOCH_AT, LENGTH_AT);
  batch.writeInt32BE(NO_LEADER_EPOCH, LEADER_EPOCH_AT);
  batch[MAGIC_AT] = MAGIC;
  batch.writeInt16BE(attributes, ATTRIBUTES_AT);
  batch.writeInt32BE(records.length - 1, LAST_DELTA_AT);
  batch.writeBigInt64BE(BigInt(firstMs), FIRST_TIME_AT);
  batch.writeBigInt64BE(BigInt(lastMs), LAST_TIME_AT);
  batch.writeBigInt64BE(producerSequence.producerId, PRODUCER_ID_AT);
  batch.writeInt16BE(producerSequence.producerEpoch, PRODUCER_EPOCH_AT);
  batch.writeInt32BE(producerSequence.sequence, SEQUENCE_AT);
  batch.writeInt32BE(records.length, COUNT_AT);
  batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_AT)), CRC_AT);
  return batch;
}

function lengthOf(record: FramedRecord, offset: number, sinceFirstMs: number): number {
  const { key, headers } = record;
  const valueBytes = framedLength(record);
  let bytes = 1 + varintBytes(sinceFirstMs) + varintBytes(offset)
    + varintBytes(key.length) + key.length + varintBytes(valueBytes) + valueBytes;
  let count = 0;
  for (const name in headers) {
    bytes += fieldBytes(name) + fieldBytes(headers[name] ?? '');
    count += 1;
  }
  return bytes + varintBytes(count);
}

/** Writes a record and returns the place after it. */
function writeRecord(
  target: Buffer, start: number, record: FramedRecord, offset: number, length: number,
  firstMs: number,
): number {
  const { key, headers } = record;
  let at = writeVarint(target, start, length);
  target[at] = 0;
  at = writeVarint(target, at + 1, record.timestampMs - firstMs);
  at = writeVarint(target, at, offset);
  at = writeVarint(target, at, key.length);
  target.set(key, at);
  const valueBytes = framedLength(record);
  at = writeVarint(target, at + key.length, valueBytes);
  writeValue(target, at, record);
  const names = Object.keys(headers);
  at = writeVarint(target, at + valueBytes, names.length);
  for (const name of names) {
    at = writeField(target, at, name);
    at = writeField(target, at, headers[name] ?? '');
  }
  return at;
}

function fieldBytes(text: string): number {
  const bytes = textLength(text);
  return varintBytes(bytes) + bytes;
}

function writeField(target: Buffer, start: number, text: string): number {
  return writeText(target, writeVarint(target, start, textLength(text)), text);
}

/** Signed numbers by turns (0, -1, 1, -2, …), so that small ones are short whatever their sign. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = zigzag(value); rest > 127; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

function writeVarint(target: Buffer, start: number, value: number): number {
  let at = start;
  let rest = zigzag(value);
  for (; rest > 127; rest = Math.floor(rest / 128)) {
    target[at] = (rest % 128) | 128;
    at += 1;
  }
  target[at] = rest;
  return at + 1;
}
