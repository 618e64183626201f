import { randomUUID } from 'node:crypto';
import {
  KAFKA_CLIENTS, kafkaClientNamed, type KafkaClient, type TopicSpec,
} from '../../services/adapters/kafka/config.ts';
import type { AnyRecord } from '../../services/adapters/kafka/frame.ts';
import { openKafka, type KafkaConfig, type KafkaLog } from '../../services/adapters/kafka/open.ts';
import { isDecoded, type LogRecord } from '../../services/kernel/record-log.ts';
import { silentSignals, type Signals } from '../../services/kernel/signals.ts';

/** The schema id that all records of these tests carry. */
export const TEST_SCHEMA_ID = 7;

/** Every way to write the log: by a library, or with batches that are encoded in this product. */
export const KAFKA_WRITERS = [...KAFKA_CLIENTS, 'own batches'] as const;

/** One way to write the log. */
export type KafkaWriter = (typeof KAFKA_WRITERS)[number];

/** The client by which tools of e2e tests and faults reach the log, as the processes do. */
export const CHOSEN_CLIENT = kafkaClientNamed(process.env['RASTRO_KAFKA_CLIENT']);

/** The wall clock. */
export const wallClock = { nowMs: (): number => Date.now() };

/** A topic of a name that no other test has. */
export function testTopic(partitions: number, cleanup = 'delete'): TopicSpec {
  const name = `test_${randomUUID()}`;
  return { name, partitions, cleanup, retention_ms: -1, message_bytes_max: 2_097_152 };
}

/** Opens the log by one client or writer; `config` overrides what the tests have in common. */
export function openLog(
  writer: KafkaWriter,
  brokers: string,
  topics: readonly TopicSpec[],
  config: Partial<KafkaConfig> = {},
  signals: Signals = silentSignals,
): KafkaLog {
  const ownBatches = writer === 'own batches';
  const client = ownBatches ? 'platformatic' : writer;
  return openKafka(
    { client, ownBatches, brokers: brokers.split(','), clientId: `test-${client}`, topics, ...config },
    { signals, clock: wallClock, schemaIdOf: () => TEST_SCHEMA_ID },
  );
}

/** The other client: what one writes, the other reads back. */
export function otherClient(client: KafkaWriter): KafkaClient {
  return client === 'kafkajs' ? 'platformatic' : 'kafkajs';
}

/** Every record of a topic, partition by partition in the order of the log. */
export async function readAll(
  client: KafkaClient,
  brokers: string,
  topic: string,
): Promise<readonly AnyRecord[]> {
  const log = openLog(client, brokers, []);
  const found: AnyRecord[] = [];
  try {
    await log.reader.readToEnd([topic], async (records) => { found.push(...records); });
  } finally {
    await log.close(wallClock.nowMs());
  }
  return found;
}

/** The decoded records among `records`; fails when one is not. */
export function decoded(records: readonly AnyRecord[]): readonly LogRecord[] {
  return records.map((record) => {
    if (isDecoded(record)) return record;
    throw new Error(`record ${record.offset} of ${record.topic} is not in the wire format`);
  });
}

/** Resolves when `done` answers true; fails with `what` after `msMax`. */
export async function until(what: string, done: () => boolean, msMax = 15_000): Promise<void> {
  const deadlineMs = Date.now() + msMax;
  while (!done()) {
    if (Date.now() > deadlineMs) throw new Error(`did not happen in ${msMax} ms: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}
