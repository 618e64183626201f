import { Admin } from '@platformatic/kafka';
import { afterEach, describe, expect, it } from 'vitest';
import { KAFKA_CLIENTS, type KafkaClient, type TopicSpec } from '../../../services/adapters/kafka/config.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { LogCut, type FollowedPartition } from '../../../services/kernel/log-follower.ts';
import { decoded, openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A topic of its own, with a log that writes it. */
async function opened(client: KafkaClient, partitions: number) {
  const topic = testTopic(partitions);
  const log = openLog(client, stackEnv().KAFKA_BROKERS, [topic]);
  cleanups.push(() => log.close(wallClock.nowMs()));
  await log.admin.ensureTopics([topic], 1);
  return { topic, log };
}

function append(log: KafkaLog, topic: TopicSpec, key: string, value: string): Promise<void> {
  return log.recordLog.append(
    { topic: topic.name, key, value: Buffer.from(value), headers: {} }, wallClock.nowMs() + 10_000,
  );
}

/** Follows from these places; `seen` grows as records come. */
function following(log: KafkaLog, from: readonly FollowedPartition[]) {
  const seen: string[] = [];
  const left = new AbortController();
  const waits: { readonly count: number; readonly resolve: () => void }[] = [];
  const ended = log.follower.follow(from, (records) => {
    for (const { key, value } of decoded(records)) seen.push(`${key}${value.toString()}`);
    for (const { count, resolve } of waits) if (seen.length >= count) resolve();
  }, left.signal);
  cleanups.push(() => {
    left.abort();
    return Promise.allSettled([ended]);
  });
  return {
    seen, left, ended,
    until: (count: number) => new Promise<void>((resolve) => {
      if (seen.length >= count) resolve();
      else waits.push({ count, resolve });
    }),
  };
}

async function ends(log: KafkaLog, topic: TopicSpec): Promise<readonly FollowedPartition[]> {
  const extents = await log.follower.extents([topic.name]);
  return extents.map(({ end, ...place }) => ({ ...place, next: end }));
}

describe.each(KAFKA_CLIENTS)('a follower by %s', (client) => {
  it('begins behind what was there, and gives what comes, each partition in its order', async () => {
    const { topic, log } = await opened(client, 3);
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(keys.map((key) => append(log, topic, key, '"before"')));
    const { seen, until, left, ended } = following(log, await ends(log, topic));
    for (const round of ['1', '2', '3']) {
      await Promise.all(keys.map((key) => append(log, topic, key, round)));
    }
    await until(18);
    expect(seen.toSorted()).toEqual(keys.flatMap((key) => [`${key}1`, `${key}2`, `${key}3`]));
    for (const key of keys) {
      expect(seen.filter((text) => text.startsWith(key))).toEqual([`${key}1`, `${key}2`, `${key}3`]);
    }
    left.abort();
    await ended;
    expect(await log.admin.groups('rastro-read-')).toEqual([]);
  });

  it('gives two copies everything, from the place that each of them has', async () => {
    const { topic, log } = await opened(client, 1);
    for (const value of ['1', '2', '3']) await append(log, topic, 'k', value);
    const [place] = await log.follower.extents([topic.name]);
    if (place === undefined) throw new Error('no partition');
    const one = following(log, [{ ...place, next: 0n }]);
    const other = following(log, [{ ...place, next: 2n }]);
    await Promise.all([one.until(3), other.until(1)]);
    await append(log, topic, 'k', '4');
    await Promise.all([one.until(4), other.until(2)]);
    expect(one.seen).toEqual(['k1', 'k2', 'k3', 'k4']);
    expect(other.seen).toEqual(['k3', 'k4']);
  });

  it('says that a place is lost when the log was cut before it was read', async () => {
    const { topic, log } = await opened(client, 1);
    for (const value of ['1', '2', '3', '4']) await append(log, topic, 'k', value);
    const [place] = await log.follower.extents([topic.name]);
    if (place === undefined) throw new Error('no partition');
    const admin = new Admin({
      clientId: 'test-admin', bootstrapBrokers: stackEnv().KAFKA_BROKERS.split(','),
    });
    cleanups.push(() => admin.close());
    await admin.deleteRecords({
      topics: [{ name: topic.name, partitions: [{ partition: 0, offset: 3n }] }],
    });
    const { ended, seen } = following(log, [{ ...place, next: 1n }]);
    await expect(ended).rejects.toBeInstanceOf(LogCut);
    expect(seen).toEqual([]);
  });

  it('rejects with what its receiver throws, and reads no further', async () => {
    const { topic, log } = await opened(client, 1);
    await append(log, topic, 'k', '1');
    const [place] = await log.follower.extents([topic.name]);
    if (place === undefined) throw new Error('no partition');
    const defect = new Error('a defect of the receiver');
    await expect(log.follower.follow([{ ...place, next: 0n }], () => {
      throw defect;
    }, new AbortController().signal)).rejects.toBe(defect);
  });
});
