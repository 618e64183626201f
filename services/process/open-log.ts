import { bundleOf } from '../../schemas/bundles.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { redisSettings } from '../adapters/config/redis.ts';
import { readRegistry } from '../adapters/config/read-registry.ts';
import { readTls, type registryTlsSettings } from '../adapters/config/read-tls.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import type { sharedSettings } from '../adapters/config/shared.ts';
import { KAFKA_CLIENTS } from '../adapters/kafka/config.ts';
import { openKafka, type KafkaConfig, type KafkaLog } from '../adapters/kafka/open.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import { REDIS_DEFAULTS, type RedisConfig } from '../adapters/redis/config.ts';
import { openRecordSchemas, type RecordSchemas } from '../adapters/registry/schemas.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';

/** The settings that every process has. */
export type SharedConfig = ConfigOf<typeof sharedSettings>;

/** Who opens the log, for what. */
export interface LogUse {
  readonly clientId: string;
  /** Names of the topics that are written; their schemas are registered. */
  readonly writes: readonly string[];
  /** Names of the topics that are read; their schemas are registered too, to know our own ids. */
  readonly reads?: readonly string[];
  readonly more?: Partial<KafkaConfig>;
}

const REGISTRY_BOOT_MS_MAX = 60_000;
const REGISTRY_REQUEST_MS_MAX = 5_000;

/** Opens the log once the registry knows what is written; closes it within the time to drain. */
export async function openLog(
  config: SharedConfig, use: LogUse, signals: Signals, lifecycle: Lifecycle,
): Promise<KafkaLog & { readonly schemas: RecordSchemas }> {
  const topics = new Set([...use.writes, ...use.reads ?? []]);
  const schemas = await openSchemas(config, use.clientId, topics, signals);
  const kafka = openKafka(kafkaConfigOf(config, use), {
    signals, clock: systemClock, schemaIdOf: (topic) => schemas.schemaIdOf(topic),
  });
  lifecycle.onRelease('kafka', () =>
    kafka.close(systemClock.nowMs() + config.RASTRO_DRAIN_MS_MAX));
  return { ...kafka, schemas };
}

/** Opens the schemas of records once the registry knows ours of these topics. */
export async function openSchemas(
  config: RegistrySettings, clientId: string, topics: ReadonlySet<string>,
  signals: Signals,
): Promise<RecordSchemas> {
  const schemas = openRecordSchemas({
    ...readRegistry(config), clientId, requestMsMax: REGISTRY_REQUEST_MS_MAX,
  }, { clock: systemClock, signals });
  await schemas.register(
    Object.values(TOPICS).filter(({ name }) => topics.has(name)).map(
      ({ name, subject, record }) => ({ topic: name, subject, schema: bundleOf(record) }),
    ),
    systemClock.nowMs() + REGISTRY_BOOT_MS_MAX,
  );
  return schemas;
}

/** The settings that say where the schema registry is, and who asks it. */
export type RegistrySettings = Pick<
  SharedConfig,
  'SCHEMA_REGISTRY_URL' | 'SCHEMA_REGISTRY_USERNAME' | 'SCHEMA_REGISTRY_PASSWORD'
  | keyof typeof registryTlsSettings
>;

/** How a process reaches the log. */
export function kafkaConfigOf(
  config: Omit<SharedConfig, 'SCHEMA_REGISTRY_URL' | 'REDIS_URL'>,
  { clientId, more }: Omit<LogUse, 'writes'>,
): KafkaConfig {
  const client = KAFKA_CLIENTS.find((name) => name === config.RASTRO_KAFKA_CLIENT);
  return {
    client: client ?? 'platformatic',
    brokers: config.KAFKA_BROKERS,
    ...securityOf(config),
    clientId,
    topics: Object.values(TOPICS),
    ...more,
  };
}

/** How a process reaches the state store; throws where it cannot be both kinds at once. */
export function redisConfigOf(config: ConfigOf<typeof redisSettings>): RedisConfig {
  if (config.RASTRO_REDIS_CLUSTER && config.RASTRO_REDIS_SENTINELS.length > 0) {
    throw new Error(
      'The state store is a Redis Cluster or has Sentinels, not both: leave out'
      + ' RASTRO_REDIS_CLUSTER or RASTRO_REDIS_SENTINELS.',
    );
  }
  return {
    ...REDIS_DEFAULTS,
    url: config.REDIS_URL,
    tls: readTls('REDIS', config.REDIS_URL, config),
    cluster: config.RASTRO_REDIS_CLUSTER,
    clusterNodes: config.RASTRO_REDIS_CLUSTER_NODES,
    sentinels: config.RASTRO_REDIS_SENTINELS,
    sentinelPrimary: config.RASTRO_REDIS_SENTINEL_PRIMARY,
    sentinelUsername: config.RASTRO_REDIS_SENTINEL_USERNAME,
    sentinelPassword: config.RASTRO_REDIS_SENTINEL_PASSWORD,
    silentMsMax: config.RASTRO_REDIS_SILENT_MS_MAX,
    evictionCheck: config.RASTRO_REDIS_EVICTION_CHECK,
  };
}
