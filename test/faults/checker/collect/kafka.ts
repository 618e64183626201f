import { randomUUID } from 'node:crypto';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { promisify } from 'node:util';
import kafkajs, { type EachBatchPayload, type IHeaders, type Kafka } from 'kafkajs';
import type { LooseFields, LogEntry } from '../evidence.ts';

const FRAME_BYTES = 5;
/** A log that gives nothing for so long, in milliseconds, is not read any further. */
const STALL_MS = 20_000;
const ATTEMPTS = 40;
const ATTEMPT_MS = 500;

/** What is still to be read of a partition. */
interface OpenRange {
  next: bigint;
  readonly end: bigint;
}

/**
 * Reads every record of every topic of the product with kafkajs, the client that the product does
 * not write with, each partition from its first record to its present end.
 */
export async function readKafka(brokers: readonly string[]): Promise<readonly LogEntry[]> {
  addZstd();
  const kafka = new kafkajs.Kafka({
    brokers: [...brokers], clientId: 'rastro-checker', logLevel: kafkajs.logLevel.NOTHING,
    retry: { initialRetryTime: 200, retries: 20 },
  });
  const groupId = `rastro-checker-${randomUUID()}`;
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__'));
    const ranges = await rangesOf(admin, topics);
    const wanted = [...new Set([...ranges.keys()].map((name) => name.split('\0')[0] ?? ''))];
    const entries = wanted.length === 0 ? [] : await readAll(kafka, groupId, wanted, ranges);
    return entries.sort(byEntry);
  } finally {
    await admin.deleteGroups([groupId]).catch(() => undefined);
    await admin.disconnect();
  }
}

/** A topic that an election leaves without a leader for a moment is asked again. */
async function rangesOf(
  admin: ReturnType<Kafka['admin']>, topics: readonly string[],
): Promise<Map<string, OpenRange>> {
  const ranges = new Map<string, OpenRange>();
  for (const topic of topics) {
    for (const { partition, low, high } of await again(() => admin.fetchTopicOffsets(topic))) {
      const [next, end] = [BigInt(low), BigInt(high)];
      if (next < end) ranges.set(`${topic}\0${partition}`, { next, end });
    }
  }
  return ranges;
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
    }
  }
}

async function readAll(
  kafka: Kafka, groupId: string, topics: readonly string[], open: Map<string, OpenRange>,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200, sessionTimeout: 30_000 });
  let lastMs = Date.now();
  const eachBatch = async ({ batch }: EachBatchPayload): Promise<void> => {
    const range = open.get(`${batch.topic}\0${batch.partition}`);
    if (range === undefined) return;
    lastMs = Date.now();
    for (const { offset, key, value, headers, timestamp } of batch.messages) {
      const at = BigInt(offset);
      if (at < range.next || at >= range.end) continue;
      range.next = at + 1n;
      entries.push({
        topic: batch.topic, partition: batch.partition, offset: Number(at),
        key: key?.toString('utf8') ?? '', headers: textsOf(headers), value: unframed(value),
        timestampMs: Number(timestamp),
      });
    }
    if (BigInt(batch.lastOffset()) + 1n >= range.end) open.delete(`${batch.topic}\0${batch.partition}`);
  };
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachBatch });
    await untilEmpty(open, () => lastMs);
  } finally {
    await consumer.disconnect();
  }
  return entries;
}

async function untilEmpty(
  open: ReadonlyMap<string, OpenRange>, lastMs: () => number,
): Promise<void> {
  while (open.size > 0) {
    if (Date.now() - lastMs() > STALL_MS) {
      const [name] = open.keys();
      throw new Error(`the log cannot be read completely: ${name?.replace('\0', '[') ?? ''}]`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The JSON behind the frame of the wire format: 0x00, schema id in four bytes, JSON. */
function unframed(value: Buffer | null): LooseFields | undefined {
  if (value === null || value.length <= FRAME_BYTES || value[0] !== 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(value.subarray(FRAME_BYTES).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed as LooseFields : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textsOf(headers: IHeaders | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [
    name, Array.isArray(value) ? value.join(',') : value?.toString() ?? '',
  ]));
}

function byEntry(a: LogEntry, b: LogEntry): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition || a.offset - b.offset;
}

/** kafkajs has no zstd of its own. */
function addZstd(): void {
  const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
    compress: (encoder: { buffer: Buffer }) => compress(encoder.buffer),
    decompress: (bytes: Buffer) => decompress(bytes),
  });
}
