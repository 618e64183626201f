import { Admin } from '@platformatic/kafka';
import { afterEach, describe, expect, it } from 'vitest';
import { PartitionCountMismatch } from '../../../services/adapters/kafka/admin.ts';
import { KAFKA_CLIENTS, type KafkaClient, type TopicSpec } from '../../../services/adapters/kafka/config.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { decoded, openLog, readAll, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function open(
  topics: readonly TopicSpec[], client: KafkaClient = 'platformatic',
): KafkaLog {
  const log = openLog(client, stackEnv().KAFKA_BROKERS, topics);
  cleanups.push(() => log.close(wallClock.nowMs()));
  return log;
}

function append(log: KafkaLog, topic: TopicSpec, key: string, value: string): Promise<void> {
  return log.recordLog.append(
    { topic: topic.name, key, value: Buffer.from(value), headers: {} }, wallClock.nowMs() + 10_000,
  );
}

function bareAdmin(): Admin {
  const admin = new Admin({
    clientId: 'test-admin', bootstrapBrokers: stackEnv().KAFKA_BROKERS.split(','),
  });
  cleanups.push(() => admin.close());
  return admin;
}

describe.each(KAFKA_CLIENTS)('a read of parts by %s', (client) => {
  it('gives these stretches of these partitions, each in its order, and nothing else', async () => {
    const topic = testTopic(3);
    const log = open([topic]);
    await log.admin.ensureTopics([topic], 1);
    const reading = openLog(client, stackEnv().KAFKA_BROKERS, []);
    cleanups.push(() => reading.close(wallClock.nowMs()));
    const { readRanges, partitionOf } = reading.rangeReader;
    const keyOf = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
      [partitionOf(key, 3), key] as const
    )));
    for (let at = 0; at < 6; at += 1) {
      await Promise.all([...keyOf.values()].map((key) => append(log, topic, key, String(at))));
    }
    const found: string[] = [];
    await readRanges([
      { topic: topic.name, partition: 0, start: 1n, end: 2n },
      { topic: topic.name, partition: 0, start: 4n, end: 6n },
      { topic: topic.name, partition: 2, start: 0n, end: 1n },
      { topic: topic.name, partition: 1, start: 3n, end: 3n },
    ], async (records) => {
      found.push(...decoded(records).map(({ key, value }) => `${key}${value.toString()}`));
    });
    const [first = '', last = ''] = [keyOf.get(0), keyOf.get(2)];
    expect(found.toSorted()).toEqual(
      [`${first}1`, `${first}4`, `${first}5`, `${last}0`].toSorted(),
    );
    expect(found.filter((each) => each.startsWith(first)))
      .toEqual([`${first}1`, `${first}4`, `${first}5`]);
    await readRanges([], () => Promise.reject(new Error('nothing was asked for')));
  });
});

describe.each(KAFKA_CLIENTS)('a read to the end by %s', (client) => {
  const brokers = (): string => stackEnv().KAFKA_BROKERS;

  it('of an empty topic ends at once', async () => {
    const topic = testTopic(3);
    await open([topic]).admin.ensureTopics([topic], 1);
    expect(await readAll(client, brokers(), topic.name)).toEqual([]);
  });

  it('gives every partition in its order, and leaves out what comes during the read', async () => {
    const topic = testTopic(3);
    const log = open([topic]);
    await log.admin.ensureTopics([topic], 1);
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const round of [1, 2, 3]) {
      await Promise.all(keys.map((key) => append(log, topic, key, String(round))));
    }
    const reading = openLog(client, brokers(), []);
    cleanups.push(() => reading.close(wallClock.nowMs()));
    const found: string[] = [];
    let late: Promise<unknown> | undefined;
    await reading.reader.readToEnd([topic.name], async (records) => {
      late ??= Promise.all(keys.map((key) => append(log, topic, key, '"late"')));
      await late;
      found.push(...decoded(records).map(({ key, value }) => `${key}${value.toString()}`));
    });
    for (const key of keys) {
      const ofKey = found.filter((text) => text.startsWith(key));
      expect(ofKey).toEqual([`${key}1`, `${key}2`, `${key}3`]);
    }
  });

  it('begins at the first record that retention has left', async () => {
    const topic = testTopic(1);
    const log = open([topic]);
    await log.admin.ensureTopics([topic], 1);
    for (const value of ['1', '2', '3', '4']) await append(log, topic, 'k', value);
    await bareAdmin().deleteRecords({
      topics: [{ name: topic.name, partitions: [{ partition: 0, offset: 2n }] }],
    });
    const records = decoded(await readAll(client, brokers(), topic.name));
    expect(records.map(({ value }) => value.toString())).toEqual(['3', '4']);
    expect(records.map(({ offset }) => offset)).toEqual([2n, 3n]);
  });

  it('rejects with what its receiver throws', async () => {
    const topic = testTopic(1);
    const log = open([topic]);
    await log.admin.ensureTopics([topic], 1);
    await append(log, topic, 'k', '1');
    const reading = openLog(client, brokers(), []);
    cleanups.push(() => reading.close(wallClock.nowMs()));
    await expect(reading.reader.readToEnd([topic.name], async () => {
      throw new TypeError('a bug');
    })).rejects.toThrow(TypeError);
  });
});

describe.each(KAFKA_CLIENTS)('the topics of the catalog by %s', (client) => {
  it('are made once, with their settings, and get new settings later', async () => {
    const topic = { ...testTopic(2, 'compact'), retention_ms: 86_400_000 };
    const { admin } = open([topic], client);
    await admin.ensureTopics([topic], 1);
    await bareAdmin().incrementalAlterConfigs({
      resources: [{
        resourceType: 2, resourceName: topic.name,
        configs: [{ name: 'segment.ms', value: '7200000', configOperation: 0 }],
      }],
    });
    const id = (await admin.topicIds([topic.name])).get(topic.name);
    await admin.ensureTopics([{ ...topic, cleanup: 'compact,delete' }], 1);
    expect((await admin.topicIds([topic.name])).get(topic.name)).toBe(id);
    const [described] = await bareAdmin().describeConfigs({
      resources: [{ resourceType: 2, resourceName: topic.name, configurationKeys: null }],
    });
    const configs = new Map(described?.configs.map(({ name, value }) => [name, value]));
    expect(configs.get('cleanup.policy')).toBe('compact,delete');
    expect(configs.get('retention.ms')).toBe('86400000');
    expect(configs.get('max.message.bytes')).toBe('2097152');
    expect(configs.get('message.timestamp.type')).toBe('LogAppendTime');
    // What an operator has set and the catalog does not name stays.
    expect(configs.get('segment.ms')).toBe('7200000');
  });

  it('are refused in one sentence when the number of partitions differs', async () => {
    const topic = testTopic(2);
    const { admin } = open([topic], client);
    await admin.ensureTopics([topic], 1);
    const other = admin.ensureTopics([{ ...topic, partitions: 3 }], 1);
    await expect(other).rejects.toBeInstanceOf(PartitionCountMismatch);
    await expect(other).rejects.toThrow(/has 2 partitions and the catalog says 3/);
  });

  it('say where their partitions start and end', async () => {
    const topic = testTopic(1);
    const log = open([topic], client);
    await log.admin.ensureTopics([topic], 1);
    await append(log, topic, 'k', '1');
    expect(await log.admin.ranges([topic.name]))
      .toEqual([{ topic: topic.name, partition: 0, start: 0n, end: 1n }]);
  });

  it('have ids that both clients read alike, also where there are many', async () => {
    const topics = Array.from({ length: 20 }, () => testTopic(1));
    const { admin } = open(topics, client);
    await admin.ensureTopics(topics, 1);
    const names = topics.map(({ name }) => name);
    const ids = await admin.topicIds(names);
    const other = open(topics, client === 'kafkajs' ? 'platformatic' : 'kafkajs');
    expect(ids).toEqual(await other.admin.topicIds(names));
    expect(new Set(ids.values()).size).toBe(topics.length);
    expect(await admin.topics()).toEqual(expect.arrayContaining(names));
  });
});
