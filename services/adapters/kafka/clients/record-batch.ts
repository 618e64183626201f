import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, type ZstdOptions } from 'node:zlib';
import { crc32c } from '@node-rs/crc32';
import { finish, finishInSteps, STEP_BYTES, type Steps } from '../../../kernel/steps.ts';
import { framedLength, writeFrame, type FramedRecord } from '../frame.ts';
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
const WORKED_AT_ONCE_BYTES_MAX = 262_144;
/** Summing is ten times as fast as copying. */
const SUMMED_BYTES = 4 * STEP_BYTES;
const packBeside = promisify(zstdCompress) as (
  bytes: Uint8Array, options: ZstdOptions,
) => Promise<Buffer>;

/**
 * Records of one partition as one batch in the format of the log, written into one buffer. The same
 * records at the same place give the same bytes, packed or not. A large batch is written in steps
 * and packed in another thread, and is a promise until then.
 */
export function encodeBatch(
  records: readonly FramedRecord[], producerSequence: ProducerSequence, isPacked: boolean,
): Buffer | Promise<Buffer> {
  const firstMs = records[0]?.timestampMs ?? 0;
  const lengths = records.map((record, at) => lengthOf(record, at, record.timestampMs - firstMs));
  const bytes = lengths.reduce((sum, length) => sum + varintBytes(length) + length, 0);
  if (bytes > WORKED_AT_ONCE_BYTES_MAX) {
    return encodeLarge(records, lengths, bytes, producerSequence, isPacked);
  }
  const plain = finish(plainBatch(records, lengths, bytes));
  if (!isPacked) return finish(withHead(plain, records, producerSequence, 0));
  const small = zstdCompressSync(plain.subarray(HEAD_BYTES), optionsFor(bytes));
  const batch = Buffer.concat([plain.subarray(0, HEAD_BYTES), small]);
  return finish(withHead(batch, records, producerSequence, ZSTD));
}

async function encodeLarge(
  records: readonly FramedRecord[], lengths: readonly number[], bytes: number,
  producerSequence: ProducerSequence, isPacked: boolean,
): Promise<Buffer> {
  const plain = await finishInSteps(plainBatch(records, lengths, bytes), setImmediate);
  if (!isPacked) {
    return finishInSteps(withHead(plain, records, producerSequence, 0), setImmediate);
  }
  const small = await packBeside(plain.subarray(HEAD_BYTES), optionsFor(bytes));
  const batch = Buffer.allocUnsafe(HEAD_BYTES + small.length);
  await finishInSteps(copyInSteps(batch, HEAD_BYTES, small), setImmediate);
  return finishInSteps(withHead(batch, records, producerSequence, ZSTD), setImmediate);
}

function optionsFor(bytes: number): ZstdOptions {
  return {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL }, pledgedSrcSize: bytes,
  };
}

/** The records one behind the other, with room for the head before them. */
function* plainBatch(
  records: readonly FramedRecord[], lengths: readonly number[], bytes: number,
): Steps<Buffer> {
  const firstMs = records[0]?.timestampMs ?? 0;
  const plain = Buffer.allocUnsafe(HEAD_BYTES + bytes);
  let end = HEAD_BYTES;
  let pauseAt = STEP_BYTES;
  for (const [at, record] of records.entries()) {
    const { json } = record;
    end = beginRecord(plain, end, record, at, lengths[at] ?? 0, firstMs);
    if (json.length > STEP_BYTES) yield* copyInSteps(plain, end, json);
    else plain.set(json, end);
    end = endRecord(plain, end + json.length, record);
    if (end < pauseAt) continue;
    yield;
    pauseAt = end + STEP_BYTES;
  }
  return plain;
}

function* copyInSteps(target: Buffer, at: number, bytes: Uint8Array): Steps<void> {
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) yield;
    target.set(bytes.subarray(from, from + STEP_BYTES), at + from);
  }
}

/** Writes the head of a batch over its first bytes. */
function* withHead(
  batch: Buffer, records: readonly FramedRecord[], producerSequence: ProducerSequence,
  attributes: number,
): Steps<Buffer> {
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
  let sum = 0;
  for (let from = ATTRIBUTES_AT; from < batch.length; from += SUMMED_BYTES) {
    if (from > ATTRIBUTES_AT) yield;
    sum = crc32c(batch.subarray(from, from + SUMMED_BYTES), sum);
  }
  batch.writeUInt32BE(sum, CRC_AT);
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

/** Writes a record up to the JSON of its value, and gives the place of that. */
function beginRecord(
  target: Buffer, start: number, record: FramedRecord, offset: number, length: number,
  firstMs: number,
): number {
  const { key } = record;
  let at = writeVarint(target, start, length);
  target[at] = 0;
  at = writeVarint(target, at + 1, record.timestampMs - firstMs);
  at = writeVarint(target, at, offset);
  at = writeVarint(target, at, key.length);
  target.set(key, at);
  at = writeVarint(target, at + key.length, framedLength(record));
  return writeFrame(target, at, record);
}

/** Writes what follows the JSON, and gives the place after it. */
function endRecord(target: Buffer, start: number, { headers }: FramedRecord): number {
  const names = Object.keys(headers);
  let at = writeVarint(target, start, names.length);
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
