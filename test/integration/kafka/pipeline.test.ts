import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KAFKA_CLIENTS } from '../../../services/adapters/kafka/config.ts';
import { createLogWatch } from '../../../services/adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import type { LogConsumer } from '../../../services/kernel/record-log.ts';
import { createReadWorkers } from '../../../services/operator/pipeline/read-workers.ts';
import { readTopics } from '../../../services/operator/pipeline/read-topics.ts';
import { openLog, testTopic } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const WAIT = { timeout: 30_000, interval: 100 };
const RECORDS = 30;

describe.each(KAFKA_CLIENTS)('the pipeline of a real log, with %s', (client) => {
  const topic = testTopic(3);
  const group = `rastro.${randomUUID()}`;
  let log: KafkaLog;
  let consumer: LogConsumer;
  let isHeld = false;
  let heldSince: () => void = () => undefined;
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };

  beforeAll(async () => {
    log = openLog(client, stackEnv().KAFKA_BROKERS, [topic]);
    await log.admin.ensureTopics([topic], 1);
    consumer = log.consumer({ group, topics: [topic.name], lingerMs: 10 }, () => undefined);
    await consumer.start({
      onAssigned: () => Promise.resolve(),
      onRevoked: () => Promise.resolve(),
      async onRecords(records) {
        if (isHeld) await new Promise<void>((resolve) => { heldSince = resolve; });
        return records.map(({ partition, offset }) => (
          { topic: topic.name, partition, nextOffset: offset + 1n }));
      },
    });
  });
  afterAll(async () => {
    isHeld = false;
    heldSince();
    await consumer.stop();
    await log.admin.deleteGroup(group);
    await log.close(Date.now());
  });

  async function append(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, nth) => log.recordLog.append({
      topic: topic.name, key: `k${nth}`, value: Buffer.from('{}'), headers: {},
    }, Date.now() + 20_000)));
  }

  it('has the rate of a topic, and lag and rate of the worker that reads it', async () => {
    const watch = createLogWatch(log.admin);
    const readWorkers = createReadWorkers([], { watch, clock });
    const own = async () => (await readWorkers()).find((each) => each.group === group);
    const ofTopic = () => readTopics(watch, [topic.name], clock.nowMs());
    expect(await ofTopic()).toEqual([
      { topic: topic.name, partitions: 3, appended: 0, inMinute: 0, in15Minutes: 0 },
    ]);

    await append(RECORDS);
    expect(await ofTopic()).toMatchObject([
      { appended: RECORDS, inMinute: RECORDS, in15Minutes: RECORDS },
    ]);
    await expect.poll(own, WAIT).toMatchObject({ members: 1, records: 0, seconds: 0 });

    isHeld = true;
    await append(RECORDS);
    await expect.poll(own, WAIT).toMatchObject({
      records: RECORDS, topics: [{ topic: topic.name, records: RECORDS }],
    });
    aheadMs = 20_000;
    const late = await own();
    expect(late?.seconds).toBeGreaterThanOrEqual(20);
    expect(late?.recordsPerSecond).toBe(0);
    isHeld = false;
    heldSince();
    await expect.poll(async () => {
      const found = await own();
      return (found?.records === 0 && found.recordsPerSecond) || 0;
    }, WAIT).toBeGreaterThan(0);

    aheadMs = 120_000;
    expect(await ofTopic()).toMatchObject([
      { appended: 2 * RECORDS, inMinute: 0, in15Minutes: 2 * RECORDS },
    ]);
  }, 90_000);
});
