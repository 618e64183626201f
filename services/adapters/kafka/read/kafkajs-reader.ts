import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { LogRange } from '../../../kernel/log-watch.ts';
import type { LogReader } from '../../../kernel/record-log.ts';
import { pause } from '../backoff.ts';
import type { ReaderLimits } from '../config.ts';
import { toRaw } from '../consume/kafkajs-records.ts';
import { unframe } from '../frame.ts';
import type { ReaderPorts, RangeReader } from './platformatic-reader.ts';

type OnRecords = Parameters<LogReader['readToEnd']>[1];

/** What of a partition is still to be read. */
interface OpenRange {
  next: bigint;
  readonly end: bigint;
}

const SESSION_MS = 10_000;
const RECHECK_MS = 500;

/**
 * Reads whole topics with kafkajs. It cannot read outside of a group, so this one reads as the only
 * member of a group with a random name that commits nothing and is deleted afterwards.
 */
export function kafkajsReader(
  kafka: Kafka, limits: ReaderLimits, ports: ReaderPorts,
): RangeReader {
  const { admin } = ports;

  async function readRanges(ranges: readonly LogRange[], onRecords: OnRecords): Promise<void> {
    const byPartition = [...Map.groupBy(ranges, ({ topic, partition }) => `${topic}:${partition}`)
      .values()];
    // A member reads a partition from one place on: a round takes one range of each.
    const rounds = Math.max(0, ...byPartition.map(({ length }) => length));
    for (let round = 0; round < rounds; round += 1) {
      await readRound(byPartition.flatMap((own) => own.slice(round, round + 1)), onRecords);
    }
  }

  async function readRound(ranges: readonly LogRange[], onRecords: OnRecords): Promise<void> {
    const open = openRanges(ranges);
    if (open.size === 0) return;
    const topics = [...new Set(ranges.map(({ topic }) => topic))];
    const topicIds = await admin.topicIds(topics);
    const groupId = `rastro-read-${randomUUID()}`;
    const consumer = openMember(kafka, groupId, limits);
    const over = new AbortController();
    let failure: Error | undefined;
    const end = (error?: unknown): void => {
      if (error !== undefined) failure ??= asError(error);
      over.abort();
    };
    // It restarts on its own, and from the first record again; `next` sorts out what was handed on.
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) end(payload.error);
    });
    const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
      const { batch } = payload;
      const name = `${batch.topic}:${batch.partition}`;
      const range = open.get(name);
      if (range === undefined || over.signal.aborted) return;
      const topicId = topicIds.get(batch.topic) ?? '';
      const raw = batch.messages.map((message) => toRaw(batch, topicId, message));
      for (let at = 0; at < raw.length; at += limits.batchRecordsMax) {
        const wanted = raw.slice(at, at + limits.batchRecordsMax)
          .filter(({ offset }) => offset >= range.next && offset < range.end);
        const last = wanted.at(-1);
        if (last === undefined) continue;
        try {
          await onRecords(wanted.map(unframe));
        } catch (error) {
          return end(error);
        }
        range.next = last.offset + 1n;
        await payload.heartbeat();
      }
      if (BigInt(batch.lastOffset()) + 1n >= range.end) open.delete(name);
      if (open.size === 0) end();
    };
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch });
      seekTo(consumer, await admin.ranges(topics), open);
      await untilOver(open, topics, over);
    } finally {
      await consumer.disconnect();
      await admin.deleteGroup(groupId).catch(() => undefined);
    }
    if (failure !== undefined) throw failure;
  }

  /** A partition that retention empties meanwhile never delivers its end. */
  async function untilOver(
    open: Map<string, OpenRange>,
    topics: readonly string[],
    over: AbortController,
  ): Promise<void> {
    const isOver = (): boolean => over.signal.aborted;
    while (!isOver()) {
      await pause(RECHECK_MS, over.signal);
      if (isOver()) return;
      for (const { topic, partition, start } of await admin.ranges(topics)) {
        const name = `${topic}:${partition}`;
        const range = open.get(name);
        if (range !== undefined && start >= range.end) open.delete(name);
      }
      if (open.size === 0) over.abort();
    }
  }

  return {
    readRanges,
    readToEnd: async (topics, onRecords) => readRanges(await admin.ranges(topics), onRecords),
  };
}

/** Begins each range where it begins, and leaves alone what no one asked for. */
function seekTo(
  consumer: Consumer, there: readonly LogRange[], open: ReadonlyMap<string, OpenRange>,
): void {
  for (const { topic, partition, start } of there) {
    const next = open.get(`${topic}:${partition}`)?.next;
    if (next === undefined) consumer.pause([{ topic, partitions: [partition] }]);
    else if (next > start) consumer.seek({ topic, partition, offset: String(next) });
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('not an error was thrown', { cause: thrown });
}

/** A member of a group that reads where it is sent, and commits nothing. */
export function openMember(
  kafka: Kafka, groupId: string, limits: Omit<ReaderLimits, 'batchRecordsMax'>,
): Consumer {
  return kafka.consumer({
    groupId,
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: SESSION_MS,
    maxWaitTimeInMs: limits.fetchWaitMs,
    minBytes: 1,
    maxBytes: limits.fetchBytesMax,
    maxBytesPerPartition: limits.fetchBytesMax,
    allowAutoTopicCreation: false,
    readUncommitted: true,
    retry: {
      initialRetryTime: limits.backoffMsMin,
      maxRetryTime: limits.backoffMsMax,
      retries: 8,
      factor: 0.2,
      multiplier: 2,
      restartOnFailure: () => Promise.resolve(true),
    },
  });
}

function openRanges(ranges: readonly LogRange[]): Map<string, OpenRange> {
  const filled = ranges.filter(({ start, end }) => start < end);
  return new Map(filled.map(({ topic, partition, start, end }) => (
    [`${topic}:${partition}`, { next: start, end }]
  )));
}
