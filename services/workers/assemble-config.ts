import { replicaUrlOf } from '../adapters/config/replicas.ts';
import { readTls } from '../adapters/config/read-tls.ts';
import type { ClickHouseConfig } from '../adapters/clickhouse/clickhouse.ts';
import { CLICKHOUSE_LIMITS } from '../adapters/clickhouse/clickhouse.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import type { workersSettings } from '../adapters/config/workers.ts';
import type { ConsumerConfig, KafkaLog } from '../adapters/kafka/open.ts';
import type { RedisStates } from '../adapters/redis/open-redis.ts';
import type { RunningSignals } from '../adapters/signals/signals.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import type { Tracer } from '../kernel/tracing.ts';
import type { States } from '../state/create-states.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import type { WriterSchemas } from './common/read-by-writer.ts';
import type { ReadRecord } from './common/read-record.ts';
import { AUTHORIZER_LIMITS, type AuthorizerConfig } from './parties/authorizations/config.ts';
import { COMMAND_SENDER_LIMITS, type CommandSenderConfig } from './parties/commands/config.ts';
import { PULLER_LIMITS, type PullerConfig } from './parties/feeds/config.ts';
import { WEBHOOK_LIMITS, type WebhookSenderConfig } from './parties/webhooks/config.ts';
import { WATCH_LIMITS, type WatchConfig } from './rebuild/watch-state.ts';
import { TABLE_WRITER_LIMITS, type TableWriterConfig } from './table-writer/config.ts';
import { replicaGroupOf, workerOf, type WorkerId } from './workers.ts';

/** The configuration of the workers, by the names of its variables. */
export type WorkersConfig = ConfigOf<typeof workersSettings>;

/** What every worker is put together from. */
export interface WorkerParts {
  readonly config: WorkersConfig;
  readonly signals: RunningSignals;
  readonly lifecycle: Lifecycle;
  readonly states: RedisStates & States;
  readonly kafka: KafkaLog;
  readonly tracer: Tracer | undefined;
  readonly readRecord: ReadRecord;
  readonly schemas: WriterSchemas;
  readonly onCrash: (error: unknown) => void;
}

/** How the table writer reaches the analytical store. */
export function clickHouseConfigOf(config: WorkersConfig): ClickHouseConfig {
  const url = replicaUrlOf(config);
  return {
    ...CLICKHOUSE_LIMITS,
    url,
    tls: readTls('CLICKHOUSE', url, config),
    user: config.CLICKHOUSE_INGEST_USER,
    password: config.CLICKHOUSE_INGEST_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
  };
}

/** True for a writer of tables in a process that fills a further replica of them. */
export function fillsFurther(id: WorkerId, config: WorkersConfig): boolean {
  return config.RASTRO_CLICKHOUSE_REPLICA !== undefined && workerOf(id).needs.includes('tables');
}

/** How much the table writer inserts at a time. */
export function tableWriterConfigOf(
  config: Pick<WorkersConfig, 'RASTRO_INSERT_LOCATIONS_MAX' | 'RASTRO_INSERT_BYTES_MAX'>,
): TableWriterConfig {
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

/** What a worker reads in its group; a writer of tables takes a whole insert at a time. */
export function consumerConfigOf(config: WorkersConfig, id: WorkerId): ConsumerConfig {
  const { reads, needs } = workerOf(id);
  return {
    ...(needs.includes('tables') ? insertsOf(config) : {}),
    group: replicaGroupOf(id, config.RASTRO_CLICKHOUSE_REPLICA), topics: [...reads],
  };
}

/** Fewer and larger inserts cost the store least. */
function insertsOf(config: WorkersConfig) {
  return {
    batchRecordsMax: config.RASTRO_INSERT_LOCATIONS_MAX,
    batchBytesMax: config.RASTRO_INSERT_BYTES_MAX,
    prefetchBytesMax: config.RASTRO_INSERT_BYTES_MAX * 2,
    lingerMs: config.RASTRO_INSERT_LINGER_MS,
    // A small part of what an insert is collected for, which rows are later by at most.
    fetchGapMs: config.RASTRO_INSERT_LINGER_MS / 8,
  };
}

/** How commands are sent to providers. */
export function commandSenderConfigOf(config: WorkersConfig): CommandSenderConfig {
  return {
    ...COMMAND_SENDER_LIMITS,
    backoffFirstMs: config.RASTRO_COMMANDS_BACKOFF_FIRST_MS,
    backoffMsMax: config.RASTRO_COMMANDS_BACKOFF_MS_MAX,
    throttledMs: config.RASTRO_COMMANDS_THROTTLED_MS,
    inFlightMaxPerProvider: config.RASTRO_COMMANDS_PER_PROVIDER_MAX,
    pendingMaxPerProvider: config.RASTRO_COMMANDS_PENDING_MAX,
    requestMsMax: config.RASTRO_PARTY_REQUEST_MS_MAX,
    leaseMs: config.RASTRO_COMMANDS_LEASE_MS,
    renewMs: Math.round(config.RASTRO_COMMANDS_LEASE_MS / 5),
  };
}

const LEASE_RESERVE_MS = 5_000;
/** A refused token may make it three requests: the call, a new token, the call once more. */
const CALL_REQUESTS_MAX = 3;

/** How carriers are asked to authorize shipments. No call may outlast its lease. */
export function authorizerConfigOf(config: WorkersConfig): AuthorizerConfig {
  const requestsMs = config.RASTRO_PARTY_REQUEST_MS_MAX * CALL_REQUESTS_MAX;
  return {
    ...AUTHORIZER_LIMITS,
    pollMs: config.RASTRO_AUTHORIZER_POLL_MS,
    leaseMs: requestsMs + AUTHORIZER_LIMITS.appendMsMax + LEASE_RESERVE_MS,
    retry: {
      tries_max: config.RASTRO_AUTHORIZATION_TRIES_MAX,
      first_wait_seconds: config.RASTRO_AUTHORIZATION_FIRST_WAIT_SECONDS,
      wait_seconds_max: config.RASTRO_AUTHORIZATION_WAIT_SECONDS_MAX,
    },
  };
}

/** A refused token may make it four requests: a token and a page, twice. */
const POLL_REQUESTS_MAX = 4;

/** How feeds of carriers are polled. */
export function pullerConfigOf(config: WorkersConfig): PullerConfig {
  const appendMsMax = config.RASTRO_PULLER_APPEND_MS_MAX;
  const requestsMs = config.RASTRO_PARTY_REQUEST_MS_MAX * POLL_REQUESTS_MAX;
  return {
    ...PULLER_LIMITS,
    pollMs: config.RASTRO_PULLER_POLL_MS,
    periodMs: config.RASTRO_PULLER_PERIOD_MS,
    unknownMs: config.RASTRO_PULLER_UNKNOWN_MS,
    jitterRatio: config.RASTRO_PULLER_JITTER_RATIO,
    backoffFirstMs: config.RASTRO_PULLER_BACKOFF_FIRST_MS,
    backoffMsMax: config.RASTRO_PULLER_BACKOFF_MS_MAX,
    appendMsMax,
    pageItemsMax: config.RASTRO_PULLER_PAGE_ITEMS_MAX,
    inFlightMax: config.RASTRO_PULLER_IN_FLIGHT_MAX,
    inFlightMaxPerParty: config.RASTRO_PULLER_PER_CARRIER_MAX,
    leaseMs: requestsMs + appendMsMax + LEASE_RESERVE_MS,
  };
}

/** How facts are posted to webhooks. No attempt may outlast its lease. */
export function webhookSenderConfigOf(config: WorkersConfig): WebhookSenderConfig {
  const { sendMsMax, appendMsMax } = WEBHOOK_LIMITS;
  return {
    ...WEBHOOK_LIMITS,
    leaseMs: sendMsMax + config.RASTRO_PARTY_REQUEST_MS_MAX + appendMsMax + LEASE_RESERVE_MS,
  };
}
