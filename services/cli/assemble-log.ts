import { bundleOf } from '../../schemas/bundles.ts';
import type { TOPICS } from '../../schemas/generated/catalog.ts';
import type { KafkaSecurity } from '../adapters/kafka/config.ts';
import { openKafka, type KafkaLog } from '../adapters/kafka/open.ts';
import type { RegistryConfig } from '../adapters/registry/config.ts';
import { openRecordSchemas } from '../adapters/registry/schemas.ts';
import { hostPortOf, reachAny, REACH_MS_MAX } from '../adapters/system/reach.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import { appendRegistered } from './append-registered.ts';

type Topic = (typeof TOPICS)[keyof typeof TOPICS];

const CLIENT_ID = 'rastro-operator';
/** Longest wait for the registry before the first record of a topic, in milliseconds. */
const REGISTRY_MS_MAX = 20_000;
const REQUEST_MS_MAX = 5_000;

/** What reaching the log takes. */
export interface LogConfig {
  readonly brokers: readonly string[];
  /** How to log in at the brokers; absent where their listener asks for no login. */
  readonly security?: KafkaSecurity;
  readonly registryUrl: string;
  /** How to reach the registry by TLS, and who logs in there. */
  readonly registryAccess?: Pick<RegistryConfig, 'tls' | 'login'>;
  readonly kafkaClient: 'platformatic' | 'kafkajs';
}

/** Says within seconds where nothing answers: the clients of the log try for minutes. */
export function reachLog({ brokers }: Pick<LogConfig, 'brokers'>): Promise<void> {
  return reachAny('The log (KAFKA_BROKERS)', brokers);
}

/** Opens the log. Topics that are written get their schema registered with the first record. */
export function openOperatorLog(
  config: LogConfig, signals: Signals, topics: readonly Topic[],
): KafkaLog {
  const clock = systemClock;
  const schemas = openRecordSchemas({
    ...config.registryAccess, url: config.registryUrl, clientId: CLIENT_ID,
    requestMsMax: REQUEST_MS_MAX,
  }, { clock, signals });
  const kafka = openKafka({
    client: config.kafkaClient,
    brokers: config.brokers,
    ...config.security,
    clientId: CLIENT_ID,
    connectMsMax: REACH_MS_MAX,
    topics,
  }, { signals, clock, schemaIdOf: (topic) => schemas.schemaIdOf(topic) });
  const register = async (topic: string): Promise<void> => {
    await reachAny(
      'The registry of schemas (SCHEMA_REGISTRY_URL)', [hostPortOf(config.registryUrl)],
    );
    await schemas.register(
      topics.filter(({ name }) => name === topic).map(({ name, subject, record }) => (
        { topic: name, subject, schema: bundleOf(record) }
      )),
      clock.nowMs() + REGISTRY_MS_MAX,
    );
  };
  return { ...kafka, recordLog: appendRegistered(kafka.recordLog, register, clock) };
}
