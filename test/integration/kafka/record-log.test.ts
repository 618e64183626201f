import { afterAll, describe, expect, it } from 'vitest';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import {
  decoded, KAFKA_WRITERS, openLog, otherClient, readAll, TEST_SCHEMA_ID, testTopic, wallClock,
  type KafkaWriter,
} from '../../support/kafka-logs.ts';
import { describeRecordLog } from '../../support/record-log.suite.ts';
import { stackEnv } from '../../support/stack.ts';

const opened: KafkaLog[] = [];
const soon = (): number => wallClock.nowMs() + 10_000;

afterAll(async () => {
  await Promise.all(opened.map((log) => log.close(wallClock.nowMs() + 1_000)));
});

async function openWith(client: KafkaWriter, partitions = 3) {
  const brokers = stackEnv().KAFKA_BROKERS;
  const topic = testTopic(partitions);
  const log = openLog(client, brokers, [topic], { append: { compressBytesMin: 20_000 } });
  opened.push(log);
  await log.admin.ensureTopics([topic], 1);
  return { log, topic: topic.name, read: () => readAll(otherClient(client), brokers, topic.name) };
}

for (const client of KAFKA_WRITERS) {
  describeRecordLog(client, async () => {
    const { log, topic, read } = await openWith(client);
    const kept = async () => decoded(await read()).map(({ key, value, headers }) => (
      { key, bytes: value, headers }
    ));
    return { log: log.recordLog, topic, kept };
  });

  describe(`what ${client} writes, read by ${otherClient(client)}`, () => {
    it('is in the partition that every Kafka client would choose, with its schema id', async () => {
      const { log, topic, read } = await openWith(client);
      // What Java's DefaultPartitioner answers for three partitions.
      const expected = { '21': 0, foobar: 0, 'a-little-bit-long-string': 2, k3: 1 };
      for (const key of Object.keys(expected)) {
        await log.recordLog.append({ topic, key, value: Buffer.from('{}'), headers: {} }, soon());
      }
      const records = decoded(await read());
      expect(Object.fromEntries(records.map((it) => [it.key, it.partition]))).toEqual(expected);
      expect(new Set(records.map((it) => it.schemaId))).toEqual(new Set([TEST_SCHEMA_ID]));
      expect(records.every((it) => it.topicId.length === 36)).toBe(true);
    });

    it('carries the time of the broker, and names the same topic id as the admin', async () => {
      const { log, topic, read } = await openWith(client, 1);
      const beforeMs = wallClock.nowMs();
      await log.recordLog.append({ topic, key: 'k', value: Buffer.from('1'), headers: {} }, soon());
      const [record] = decoded(await read());
      expect(record?.timestampMs).toBeGreaterThanOrEqual(beforeMs - 1_000);
      expect(record?.topicId).toBe((await log.admin.topicIds([topic])).get(topic));
    });
  });

  describe(`${client} when its broker is away`, () => {
    it('answers log_unavailable or log_timeout at the deadline, and fast after that', async () => {
      const topic = testTopic(1);
      const log = openLog(client, '127.0.0.1:1', [topic], {
        connectMsMax: 500, requestMsMax: 500, append: { failFastMs: 200 },
      });
      opened.push(log);
      const record = { topic: topic.name, key: 'k', value: Buffer.from('1'), headers: {} };
      const first = log.recordLog.append(record, wallClock.nowMs() + 300);
      await expect(first).rejects.toMatchObject({ code: 'log_timeout' });
      const startedMs = wallClock.nowMs();
      const second = log.recordLog.append(record, startedMs + 10_000);
      await expect(second).rejects.toMatchObject({ code: 'log_unavailable' });
      expect(wallClock.nowMs() - startedMs).toBeLessThan(200);
    });
  });
}
