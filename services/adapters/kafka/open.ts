import type { Kafka } from 'kafkajs';
import type { Clock } from '../../kernel/clock.ts';
import type { LogFollower } from '../../kernel/log-follower.ts';
import type { LogRangeReader } from '../../kernel/log-watch.ts';
import type { LogConsumer, LogReader, RecordLog } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import { openAdmin, type LogAdmin } from './admin.ts';
import { kafkajsCalls } from './admin/kafkajs-calls.ts';
import { platformaticCalls } from './admin/platformatic-calls.ts';
import { createRecordLog } from './append/record-log.ts';
import type { PartitionSender } from './append/sender.ts';
import { openKafkajs } from './clients/kafkajs-runtime.ts';
import { kafkajsSender } from './clients/kafkajs-sender.ts';
import { ownSender } from './clients/own-sender.ts';
import { platformaticSender } from './clients/platformatic-sender.ts';
import {
  APPEND_LIMITS, CONSUMER_LIMITS, READER_LIMITS,
  type AppendLimits, type ConnectionLimits, type ConsumerOptions, type KafkaClient,
  type KafkaSecurity, type ReaderLimits, type TopicSpec,
} from './config.ts';
import { kafkajsConsumer } from './consume/kafkajs-consumer.ts';
import { platformaticConsumer } from './consume/platformatic-consumer.ts';
import { partitionOf } from './murmur2.ts';
import { FOLLOW_LIMITS } from './follow/follow-limits.ts';
import { createFollower } from './follow/follower.ts';
import { kafkajsFollow } from './follow/kafkajs-follower.ts';
import { platformaticFollow } from './follow/platformatic-follower.ts';
import { kafkajsReader } from './read/kafkajs-reader.ts';
import { platformaticReader } from './read/platformatic-reader.ts';

/** How to reach Kafka, by which client, and what may be written. */
export interface KafkaConfig extends KafkaSecurity {
  readonly client: KafkaClient;
  /** True to encode batches here instead of by platformatic; kafkajs always encodes its own. */
  readonly ownBatches?: boolean;
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** The topics that may be written, from the catalog. */
  readonly topics: readonly TopicSpec[];
  readonly connectMsMax?: number;
  readonly requestMsMax?: number;
  readonly sendRetriesMax?: number;
  readonly append?: Partial<AppendLimits>;
  readonly reader?: Partial<ReaderLimits>;
}

/** What the adapter takes from outside. */
export interface KafkaPorts {
  readonly signals: Signals;
  readonly clock: Clock;
  /** The id of the schema of a topic's records, from memory; see adapters/registry. */
  readonly schemaIdOf: (topic: string) => number;
  /** Only spreads waits; `Math.random` will do. */
  readonly random?: () => number;
}

/** What a consumer needs; everything else has a default in `CONSUMER_LIMITS`. */
export type ConsumerConfig = Pick<ConsumerOptions, 'group' | 'topics'> & Partial<ConsumerOptions>;

/** The log, by one of the two clients; no one outside sees which. */
export interface KafkaLog {
  readonly recordLog: RecordLog;
  readonly reader: LogReader;
  readonly rangeReader: LogRangeReader;
  readonly follower: LogFollower;
  readonly admin: LogAdmin;
  /** Bytes of records that wait to be in the log. */
  waitingBytes(): number;
  /**
   * A member of a group. `onCrash` is called once when it cannot go on (a bug in the handler, or a
   * position that the log does not have any more); it has left its group by then.
   */
  consumer(config: ConsumerConfig, onCrash: (error: unknown) => void): LogConsumer;
  /** Sends what waits until `deadlineMs` (a `Clock` time), then closes. Stop consumers before. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens the log. Connects on first use; a broker that is down is no error here. */
export function openKafka(config: KafkaConfig, ports: KafkaPorts): KafkaLog {
  const connection: ConnectionLimits = {
    brokers: config.brokers,
    clientId: config.clientId,
    connectMsMax: config.connectMsMax ?? 5_000,
    requestMsMax: config.requestMsMax ?? 5_000,
    ...(config.sasl === undefined ? {} : { sasl: config.sasl }),
    ...(config.tls === undefined ? {} : { tls: config.tls }),
    ...(config.sendRetriesMax === undefined ? {} : { sendRetriesMax: config.sendRetriesMax }),
  };
  const limits = { ...APPEND_LIMITS, ...config.append };
  const readerLimits = { ...READER_LIMITS, ...config.reader };
  const { signals } = ports;
  const random = ports.random ?? Math.random;
  const kafka = config.client === 'kafkajs' ? openKafkajs(connection, signals) : undefined;
  const calls = kafka === undefined ? platformaticCalls(connection) : kafkajsCalls(kafka);
  const admin = openAdmin(calls, signals);

  const sender = senderOf(config, connection, limits, kafka);
  const log = createRecordLog(config.topics, limits, { ...ports, sender, random });
  const readerPorts = { admin, signals, random };
  const reader = kafka === undefined
    ? platformaticReader(connection, readerLimits, readerPorts)
    : kafkajsReader(kafka, readerLimits, readerPorts);
  const follower = createFollower(admin, kafka === undefined
    ? platformaticFollow(connection, FOLLOW_LIMITS, readerPorts)
    : kafkajsFollow(kafka, FOLLOW_LIMITS, readerPorts));

  function consumer(chosen: ConsumerConfig, onCrash: (error: unknown) => void): LogConsumer {
    const options = { ...CONSUMER_LIMITS, ...chosen };
    const needs = { admin, signals, random, onCrash };
    return kafka === undefined
      ? platformaticConsumer(connection, options, needs)
      : kafkajsConsumer(kafka, options, needs);
  }

  async function close(deadlineMs: number): Promise<void> {
    await log.close(deadlineMs);
    await admin.close();
  }

  const waitingBytes = (): number => log.waitingBytes();
  const rangeReader: LogRangeReader = {
    readRanges: reader.readRanges,
    partitionOf: (key, partitions) => partitionOf(Buffer.from(key), partitions),
  };
  return { recordLog: log, reader, rangeReader, follower, admin, waitingBytes, consumer, close };
}

function senderOf(
  { ownBatches }: KafkaConfig, connection: ConnectionLimits, limits: AppendLimits,
  kafka: Kafka | undefined,
): PartitionSender {
  const { compressBytesMin } = limits;
  if (kafka !== undefined) return kafkajsSender(kafka, connection, compressBytesMin);
  return ownBatches === true
    ? ownSender(connection, limits)
    : platformaticSender(connection, compressBytesMin);
}
