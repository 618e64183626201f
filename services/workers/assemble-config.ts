import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { workersSettings } from '../adapters/config/workers.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import { CLICKHOUSE_LIMITS, type ClickHouseConfig } from '../adapters/clickhouse/clickhouse.ts';
import { KAFKA_CLIENTS } from '../adapters/kafka/config.ts';
import type { ConsumerConfig, KafkaConfig } from '../adapters/kafka/open.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import { REDIS_DEFAULTS, type RedisConfig } from '../adapters/redis/config.ts';
import { QUARANTINE_GROUP } from '../kernel/quarantine.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import { WATCH_LIMITS, type WatchConfig } from './rebuild/watch-state.ts';
import { TABLE_WRITER_LIMITS, type TableWriterConfig } from './table-writer/config.ts';

/** The configuration of the workers, by the names of its variables. */
export type WorkersConfig = ConfigOf<typeof workersSettings>;

/** Fixes older at their receipt are outliers in the tables (400 days) and never a last position. */
export const POSITION_AGE_SECONDS_MAX = 400 * 86_400;

/** How the workers read and write the log. */
export function kafkaConfigOf(config: WorkersConfig): KafkaConfig {
  const client = KAFKA_CLIENTS.find((name) => name === config.RASTRO_KAFKA_CLIENT);
  return {
    client: client ?? 'platformatic',
    brokers: config.KAFKA_BROKERS,
    ...securityOf(config),
    clientId: 'rastro-workers',
    topics: Object.values(TOPICS),
  };
}

/** How the workers reach the state store. */
export function redisConfigOf(config: WorkersConfig): RedisConfig {
  return {
    ...REDIS_DEFAULTS,
    url: config.REDIS_URL,
    cluster: config.RASTRO_REDIS_CLUSTER,
    evictionCheck: config.RASTRO_REDIS_EVICTION_CHECK,
  };
}

/** How the table writer reaches the analytical store. */
export function clickHouseConfigOf(config: WorkersConfig): ClickHouseConfig {
  return {
    ...CLICKHOUSE_LIMITS,
    url: config.CLICKHOUSE_URL,
    user: config.CLICKHOUSE_INGEST_USER,
    password: config.CLICKHOUSE_INGEST_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
  };
}

/** How much the table writer inserts at a time. */
export function tableWriterConfigOf(config: WorkersConfig): TableWriterConfig {
  return {
    ...TABLE_WRITER_LIMITS,
    itemsMax: config.RASTRO_INSERT_LOCATIONS_MAX,
    insertBytesMax: config.RASTRO_INSERT_BYTES_MAX,
  };
}

/** How the state store is watched and rebuilt. */
export function watchConfigOf(config: WorkersConfig): WatchConfig {
  return { ...POISON_FLOOD_LIMITS, ...WATCH_LIMITS, leaseMs: config.RASTRO_REBUILD_LEASE_MS };
}

/** What each worker reads; the group's name is part of its position in the log for ever. */
export function consumerConfigOf(
  config: WorkersConfig,
  worker:
    'access-keeper' | 'device-keeper' | 'command-keeper' | 'dispatcher' | 'delivery-keeper'
    | 'authorization-keeper' | 'shipment-keeper' | 'personal-keeper' | 'table-writer'
    | 'quarantine-writer',
): ConsumerConfig {
  switch (worker) {
    case 'access-keeper':
      return {
        group: 'rastro.access-keeper',
        topics: [TOPICS.clients.name, TOPICS.tokens.name, TOPICS.parties.name],
      };
    case 'device-keeper':
      return {
        group: 'rastro.device-keeper',
        topics: [TOPICS.deviceLifecycle.name, TOPICS.locations.name],
      };
    case 'command-keeper':
      return {
        group: 'rastro.command-keeper',
        topics: [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
      };
    case 'delivery-keeper':
      return { group: 'rastro.delivery-keeper', topics: [TOPICS.deliveryLocations.name] };
    case 'authorization-keeper':
      return {
        group: 'rastro.authorization-keeper',
        topics: [TOPICS.authorizations.name, TOPICS.authorizationCalls.name],
      };
    case 'dispatcher':
      return { group: 'rastro.dispatcher', topics: [TOPICS.providerCommands.name] };
    case 'shipment-keeper':
      return { group: 'rastro.shipment-keeper', topics: [TOPICS.notifications.name] };
    case 'personal-keeper':
      return { group: 'rastro.personal-keeper', topics: [TOPICS.personalKeys.name] };
    case 'table-writer':
      return {
        ...insertsOf(config),
        group: TABLE_WRITER_GROUP,
        topics: Object.keys(TABLE_WRITER_LIMITS.tables),
      };
    case 'quarantine-writer':
      return {
        ...insertsOf(config), group: QUARANTINE_GROUP, topics: [TOPICS.quarantinedLocations.name],
      };
  }
}

/** A whole insert at a time: fewer and larger inserts cost the store least. */
function insertsOf(config: WorkersConfig) {
  return {
    batchRecordsMax: config.RASTRO_INSERT_LOCATIONS_MAX,
    batchBytesMax: config.RASTRO_INSERT_BYTES_MAX,
    prefetchBytesMax: config.RASTRO_INSERT_BYTES_MAX * 2,
    lingerMs: config.RASTRO_INSERT_LINGER_MS,
    // A small share of what an insert is collected for, which rows are later by at most.
    fetchGapMs: config.RASTRO_INSERT_LINGER_MS / 8,
  };
}

/** The group of the table writer, which also names its batches under way. */
export const TABLE_WRITER_GROUP = 'rastro.table-writer';
