import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { consumerGrants } from '../../../services/adapters/kafka/users/consumer-grants.ts';
import { openLog, until, wallClock } from '../../support/kafka-logs.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';

const ALL = [TOPICS.locations, TOPICS.journey, TOPICS.tokens];
const [fixes, journeys, tokens] = ALL.map(({ name }) => name) as [string, string, string];
/** A user that the brokers of a test know; its usual rights are taken away. */
const NAME = 'operator';
const WAIT_MS_MAX = 20_000;

describe('a consumer with the rights that `rastro consumer add` prints', () => {
  let own: OwnStack;
  let log: KafkaLog;
  let raw: kafkajs.Kafka;

  beforeAll(async () => {
    own = await startOwnStack(['kafka']);
    const password = own.env.KAFKA_OPERATOR_PASSWORD;
    const admin = openLog('platformatic', own.env.KAFKA_BROKERS, ALL);
    await admin.admin.ensureTopics(ALL, 1);
    expect(await admin.admin.setGrants(consumerGrants(NAME, [fixes]))).toBe(true);
    const deadlineMs = wallClock.nowMs() + WAIT_MS_MAX;
    await admin.recordLog.append(
      { topic: fixes, key: 'a', value: Buffer.from('x'), headers: {} }, deadlineMs,
    );
    await admin.close(deadlineMs);
    log = openLog('platformatic', own.env.KAFKA_SASL_BROKERS, ALL, {
      sasl: { mechanism: 'PLAIN', username: NAME, password },
    });
    raw = new kafkajs.Kafka({
      brokers: own.env.KAFKA_SASL_BROKERS.split(','), clientId: 'test-consumer',
      sasl: { mechanism: 'plain', username: NAME, password },
      retry: { retries: 0 }, logLevel: kafkajs.logLevel.NOTHING,
    });
  });
  afterAll(async () => {
    await log.close(wallClock.nowMs());
    await own.close();
  });

  it('reads its topics in groups of its own', async () => {
    const seen: string[] = [];
    const consumer = log.consumer({ group: `${NAME}.maps`, topics: [fixes] }, () => undefined);
    await consumer.start({
      onAssigned: async () => undefined,
      onRevoked: async () => undefined,
      onRecords: async (records) => {
        for (const record of records) if ('key' in record) seen.push(record.key);
        return [];
      },
    });
    await until('the record', () => seen.includes('a'), WAIT_MS_MAX);
    await consumer.stop();
  });

  it('reads nothing else, and in no other group', async () => {
    const admin = raw.admin();
    await admin.connect();
    await expect(admin.fetchTopicOffsets(fixes)).resolves.toHaveLength(TOPICS.locations.partitions);
    for (const topic of [journeys, tokens]) {
      await expect(admin.fetchTopicOffsets(topic)).rejects
        .toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    }
    await admin.disconnect();
    const consumer = raw.consumer({ groupId: 'rastro.projector' });
    await consumer.connect();
    await consumer.subscribe({ topic: fixes });
    const ended = new Promise((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
      consumer.run({ eachMessage: async () => undefined }).catch(resolve);
    });
    expect(String(await ended)).toMatch(/group/i);
    await consumer.disconnect();
  });

  it('writes nothing, also not to its topics', async () => {
    const producer = raw.producer();
    await producer.connect();
    await expect(producer.send({ topic: fixes, messages: [{ key: 'k', value: 'y' }] }))
      .rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    await producer.disconnect();
  });
});
