import { bundleOf } from '../../schemas/bundles.ts';
import type { TOPICS } from '../../schemas/generated/catalog.ts';
import type { KafkaSecurity } from '../adapters/kafka/config.ts';
import { brokerGreeting } from '../adapters/kafka/greeting.ts';
import { openKafka, type KafkaLog } from '../adapters/kafka/open.ts';
import type { RegistryConfig } from '../adapters/registry/config.ts';
import { openRecordSchemas } from '../adapters/registry/schemas.ts';
import { hostPortOf, reachAny, reachHttp, REACH_MS_MAX } from '../adapters/system/reach.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import { isUnavailable, Unavailable } from '../kernel/unavailable.ts';
import { appendRegistered } from './append-registered.ts';

type Topic = (typeof TOPICS)[keyof typeof TOPICS];

const CLIENT_ID = 'rastro-operator';
/** How long a registry that refuses is asked again, before the first record of a topic. */
const REGISTRY_MS_MAX = REACH_MS_MAX;
const REQUEST_MS_MAX = 5_000;
const REGISTRY = 'The registry of schemas (SCHEMA_REGISTRY_URL)';
/** A question that every registry knows; its answer is a few words. */
const REGISTRY_PATH = '/schemas/types';

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
export function reachLog(
  { brokers, security }: Pick<LogConfig, 'brokers' | 'security'>,
): Promise<void> {
  return reachAny('The log (KAFKA_BROKERS)', brokers, {
    greeting: brokerGreeting(), tls: security?.tls,
  });
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
    await reachRegistry(config);
    await schemas.register(
      topics.filter(({ name }) => name === topic).map(({ name, subject, record }) => (
        { topic: name, subject, schema: bundleOf(record) }
      )),
      clock.nowMs() + REGISTRY_MS_MAX,
    ).catch((error: unknown) => {
      throw isUnavailable(error) ? named(error, config.registryUrl) : error;
    });
  };
  return { ...kafka, recordLog: appendRegistered(kafka.recordLog, register, clock) };
}

function reachRegistry({ registryUrl, registryAccess }: LogConfig): Promise<void> {
  return reachHttp(
    REGISTRY, registryUrl, new URL(registryUrl).pathname.replace(/\/+$/, '') + REGISTRY_PATH,
    registryAccess?.tls,
  );
}

/** The same refusal with the address: a wrong one may well answer, but not as a registry. */
function named({ code, stage, message }: Unavailable, url: string): Unavailable {
  const why = message.slice(message.indexOf(': ') + 2);
  return new Unavailable(code, stage, `${REGISTRY} takes no schema at ${hostPortOf(url)} (${why}).`);
}
