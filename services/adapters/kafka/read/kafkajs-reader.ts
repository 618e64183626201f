import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import type { LogReader } from '../../../kernel/record-log.ts';
import type { PartitionRange } from '../admin.ts';
import { pause } from '../backoff.ts';
import type { ReaderLimits } from '../config.ts';
import { toRaw } from '../consume/kafkajs-records.ts';
import { unframe } from '../frame.ts';
import type { ReaderPorts } from './platformatic-reader.ts';

const SESSION_MS = 10_000;
const RECHECK_MS = 500;

/**
 * Reads whole topics with kafkajs. It cannot read outside of a group, so this one reads as the only
 * member of a group with a random name that commits nothing and is deleted afterwards.
 */
export function kafkajsReader(kafka: Kafka, limits: ReaderLimits, ports: ReaderPorts): LogReader {
  const { admin } = ports;

  async function readToEnd(
    topics: readonly string[],
    onRecords: Parameters<LogReader['readToEnd']>[1],
  ): Promise<void> {
    const topicIds = await admin.topicIds(topics);
    const ends = openEnds(await admin.ranges(topics));
    if (ends.size === 0) return;
    const groupId = `rastro-read-${randomUUID()}`;
    const consumer = kafka.consumer({
      groupId,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: SESSION_MS,
      maxWaitTimeInMs: limits.fetchWaitMs,
      minBytes: 1,
      maxBytes: limits.fetchBytesMax,
      maxBytesPerPartition: limits.fetchBytesMax,
      allowAutoTopicCreation: false,
      readUncommitted: true,
      retry: { retries: 1_000_000, restartOnFailure: () => Promise.resolve(false) },
    });
    const over = new AbortController();
    let failure: unknown;
    function end(error?: unknown): void {
      failure ??= error;
      over.abort();
    }
    consumer.on(consumer.events.CRASH, ({ payload }) => end(payload.error));
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: true,
        partitionsConsumedConcurrently: 1,
        eachBatch: async ({ batch, heartbeat }) => {
          const name = `${batch.topic}:${batch.partition}`;
          const endOffset = ends.get(name);
          if (endOffset === undefined || over.signal.aborted) return;
          const topicId = topicIds.get(batch.topic) ?? '';
          const records = batch.messages.map((message) => toRaw(batch, topicId, message))
            .filter(({ offset }) => offset < endOffset).map(unframe);
          try {
            for (let at = 0; at < records.length; at += limits.batchRecordsMax) {
              await onRecords(records.slice(at, at + limits.batchRecordsMax));
              await heartbeat();
            }
          } catch (error) {
            end(error);
            return;
          }
          if (BigInt(batch.lastOffset()) + 1n >= endOffset) ends.delete(name);
          if (ends.size === 0) end();
        },
      });
      await untilOver(ends, topics, over);
    } finally {
      await consumer.disconnect();
      await admin.deleteGroup(groupId).catch(() => undefined);
    }
    if (failure !== undefined) throw failure;
  }

  /** A partition that retention empties meanwhile never delivers its end. */
  async function untilOver(
    ends: Map<string, bigint>,
    topics: readonly string[],
    over: AbortController,
  ): Promise<void> {
    while (!over.signal.aborted) {
      await pause(RECHECK_MS, over.signal);
      if (over.signal.aborted) return;
      for (const { topic, partition, start } of await admin.ranges(topics)) {
        const name = `${topic}:${partition}`;
        const end = ends.get(name);
        if (end !== undefined && start >= end) ends.delete(name);
      }
      if (ends.size === 0) over.abort();
    }
  }

  return { readToEnd };
}

function openEnds(ranges: readonly PartitionRange[]): Map<string, bigint> {
  const filled = ranges.filter(({ start, end }) => start < end);
  return new Map(filled.map(({ topic, partition, end }) => [`${topic}:${partition}`, end]));
}
