import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogWatch } from '../../../services/adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const topic = testTopic(1);
const RECORDS = 5;
const DEADLINE_MS = 30_000;
let log: KafkaLog;

beforeAll(async () => {
  log = openLog('platformatic', stackEnv().KAFKA_BROKERS, [topic]);
  await log.admin.ensureTopics([topic], 1);
  for (let nth = 0; nth < RECORDS; nth += 1) {
    await log.recordLog.append({
      topic: topic.name, key: 'k', value: Buffer.from('{}'), headers: {},
    }, Date.now() + DEADLINE_MS);
  }
});
afterAll(() => log.close(wallClock.nowMs()));

it('sees how far a group has committed, and what is missing from it', async () => {
  const group = `test_${randomUUID()}`;
  const watch = createLogWatch(log.admin);
  expect(await watch.groups(group)).toEqual([]);
  const consumer = log.consumer({ group, topics: [topic.name] }, () => undefined);
  await consumer.start({
    onAssigned: () => Promise.resolve(),
    onRevoked: () => Promise.resolve(),
    onRecords: (records) => Promise.resolve(records.slice(0, 1).map(({ partition, offset }) => (
      { topic: topic.name, partition, nextOffset: offset + 1n }
    ))),
  });
  try {
    await waitFor(async () => (await watch.places(group)).some(({ next }) => next > 0n), {
      what: 'A commit', deadlineMs: DEADLINE_MS,
    });
  } finally {
    await consumer.stop();
  }
  expect(await watch.groups(group)).toEqual([group]);
  expect(await watch.places(group)).toMatchObject([
    { topic: topic.name, partition: 0, start: 0n, end: BigInt(RECORDS) },
  ]);
  await log.admin.deleteGroup(group);
});

it('finds the first record since a time, and the end after the last', async () => {
  const watch = createLogWatch(log.admin);
  const place = { topic: topic.name, partition: 0, start: 0n, next: 0n, end: BigInt(RECORDS) };
  const name = `${topic.name}:0`;
  expect(await watch.firstSince([place], 1)).toEqual(new Map([[name, 0n]]));
  expect(await watch.firstSince([place], Date.now() + DEADLINE_MS))
    .toEqual(new Map([[name, BigInt(RECORDS)]]));
});

it('leaves topics out that the cluster does not have', async () => {
  const ranges = await createLogWatch(log.admin).ranges([topic.name, `missing_${randomUUID()}`]);
  expect(ranges).toEqual([{ topic: topic.name, partition: 0, start: 0n, end: BigInt(RECORDS) }]);
});
