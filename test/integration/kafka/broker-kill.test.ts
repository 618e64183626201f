import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterIdOf, kafkaDistribution, startKafkaNode } from '../../../infra/local/kafka.ts';
import type { Part } from '../../../infra/local/part.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import type { KafkaClient } from '../../../services/adapters/kafka/config.ts';
import { FLAWLESS, openLedger } from '../../support/kafka-ledger.ts';
import {
  KAFKA_WRITERS, openLog, otherClient, readAll, testTopic, until, wallClock, type KafkaWriter,
} from '../../support/kafka-logs.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const DOWNLOAD_MS_MAX = 600_000;

let broker: Part;
let brokers: string;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-kill-'));
  const distribution = await kafkaDistribution({
    dir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    log: () => undefined,
    waitMsMax: DOWNLOAD_MS_MAX,
  });
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const node = { nodeId: 1, port, controllerPort };
  brokers = `127.0.0.1:${port}`;
  broker = await startKafkaNode(distribution, {
    node, cluster: [node], dir, clusterId: clusterIdOf(dir),
    log: () => undefined,
  });
}, DOWNLOAD_MS_MAX);

afterAll(async () => {
  await broker.stop();
  rmSync(dir, { recursive: true, force: true });
}, 30_000);

/** Appends under every key, one round after the other, until it is stopped. */
async function startLoad(client: KafkaWriter) {
  const topic = testTopic(3);
  const log = openLog(client, brokers, [topic], {
    requestMsMax: 2_000,
    append: { failFastMs: 60_000 },
  });
  await log.admin.ensureTopics([topic], 1);
  const ledger = openLedger(log.recordLog, topic.name, 30_000);
  let going = true;
  const rounds = Promise.all(KEYS.map(async (key) => {
    for (let at = 0; going; at += 10) {
      await ledger.appendAll(key, Array.from({ length: 10 }, (_, index) => at + index));
    }
  }));
  const end = async (): Promise<void> => {
    going = false;
    await rounds;
    await log.close(wallClock.nowMs());
  };
  return { client, topic: topic.name, ledger, end };
}

/** Consumes a topic by one client and remembers which records came, and whether it crashed. */
async function startConsumer(client: KafkaClient, topic: string) {
  const log = openLog(client, brokers, [], { requestMsMax: 2_000 });
  const seen = new Set<string>();
  const crashes: unknown[] = [];
  const consumer = log.consumer({
    group: `test_${topic}`, topics: [topic], sessionTimeoutMs: 6_000, heartbeatMs: 500,
  }, (error) => { crashes.push(error); });
  await consumer.start({
    onAssigned: async () => undefined,
    onRevoked: async () => undefined,
    onRecords: async (records) => {
      for (const { headers } of records) seen.add(headers['id'] ?? '');
      return records.map(({ partition, offset }) => (
        { topic, partition, nextOffset: offset + 1n }
      ));
    },
  });
  const end = async (): Promise<void> => {
    await consumer.stop();
    await log.close(wallClock.nowMs());
  };
  return { seen, crashes, end };
}

it('a broker killed under load keeps what it acknowledged, and consumers go on', async () => {
  const loads = await Promise.all(KAFKA_WRITERS.map(startLoad));
  const consumers = await Promise.all(loads.map(({ client, topic }) => (
    startConsumer(otherClient(client), topic)
  )));
  const acked = (): number[] => loads.map(({ ledger }) => ledger.acked());
  await until('some load', () => acked().every((count) => count > 500));
  const before = broker.pid();
  await broker.kill();
  await broker.ready();
  expect(broker.pid()).not.toBe(before);
  const atRestart = acked();
  await until('the load goes on', () => (
    acked().every((count, index) => count > (atRestart[index] ?? 0) + 500)
  ), 20_000);
  await Promise.all(loads.map(({ end }) => end()));
  await until('the consumers have everything', () => consumers.every(({ seen }, index) => (
    seen.size === acked()[index]
  )), 20_000);
  expect(consumers.flatMap(({ crashes }) => crashes)).toEqual([]);
  await Promise.all(consumers.map(({ end }) => end()));
  for (const { client, topic, ledger } of loads) {
    expect(ledger.faults()).toEqual([]);
    expect(ledger.audit(await readAll(otherClient(client), brokers, topic))).toEqual(FLAWLESS);
  }
}, 60_000);
