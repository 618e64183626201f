import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import type { KafkaClient, TopicSpec } from
  '../../../services/adapters/kafka/config.ts';
import type { AnyRecord } from '../../../services/adapters/kafka/frame.ts';
import type { ConsumerConfig, KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { CommitOffset, LogConsumer, LogHandler } from
  '../../../services/kernel/record-log.ts';
import { decoded, openLog, otherClient, testTopic, wallClock } from
  '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

/** What a test opened; closed after it, the last first. */
export const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A topic with `count` records, numbers 0… under ten keys. */
export async function filled(client: KafkaClient, partitions: number, count: number) {
  const topic = testTopic(partitions);
  const log = openLog(otherClient(client), stackEnv().KAFKA_BROKERS, [topic]);
  cleanups.push(() => log.close(wallClock.nowMs()));
  await log.admin.ensureTopics([topic], 1);
  await append(log, topic, 0, count);
  return { topic, writer: log, group: `test_${randomUUID()}` };
}

/** Appends the numbers of the range, each under the key of its last digit. */
export async function append(
  log: KafkaLog, topic: TopicSpec, from: number, to: number,
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await Promise.all(numbers.map((number) => log.recordLog.append({
    topic: topic.name, key: `k${number % 10}`, value: Buffer.from(String(number)), headers: {},
  }, wallClock.nowMs() + 10_000)));
}

/** What a handler answers that did all of its records. */
export function done(records: readonly AnyRecord[]): CommitOffset[] {
  const last = new Map(records.map((record) => [`${record.topic}:${record.partition}`, record]));
  return [...last.values()].map(({ topic, partition, offset }) => (
    { topic, partition, nextOffset: offset + 1n }
  ));
}

/** What a member saw. */
export interface MemberStory {
  readonly numbers: number[];
  readonly story: string[];
  readonly assignments: number[];
  /** Topics that it said were made again. */
  readonly remade: string[];
  crash: unknown;
  calls: number;
}

/** Starts a member whose handler writes down what happens; `work` is done for each batch. */
export async function member(
  client: KafkaClient,
  config: ConsumerConfig,
  work: (
    records: readonly AnyRecord[], seen: MemberStory,
  ) => Promise<readonly CommitOffset[]>
  = async (records) => done(records),
) {
  const seen: MemberStory = {
    numbers: [], story: [], assignments: [], remade: [], crash: undefined, calls: 0,
  };
  const log = openLog(client, stackEnv().KAFKA_BROKERS, [], {}, {
    ...silentSignals, topicRemade: ({ topic }) => { seen.remade.push(topic); },
  });
  let inside = 0;
  const handler: LogHandler = {
    onAssigned: async (partitions) => {
      seen.story.push('assigned');
      seen.assignments.push(partitions.length);
    },
    onRevoked: async () => { seen.story.push(inside > 0 ? 'revoked inside a batch' : 'revoked'); },
    onRecords: async (records) => {
      inside += 1;
      seen.calls += 1;
      if (inside > 1) seen.story.push('overlap');
      try {
        const offsets = await work(records, seen);
        seen.numbers.push(...decoded(records).map(({ value }) => Number(value.toString())));
        return offsets;
      } finally {
        inside -= 1;
      }
    },
  };
  const options = { sessionTimeoutMs: 6_000, heartbeatMs: 300, fetchWaitMs: 200, ...config };
  const consumer: LogConsumer = log.consumer(options, (error) => { seen.crash = error; });
  const close = async (): Promise<void> => {
    await consumer.stop();
    await log.close(wallClock.nowMs());
  };
  cleanups.push(close);
  await consumer.start(handler);
  return { seen, consumer, admin: log.admin };
}

/** The numbers from the least on. */
export const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
/** The numbers from 0 up to another. */
export const range = (to: number): number[] => Array.from({ length: to }, (_, index) => index);
