import { readTls } from '../adapters/config/read-tls.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import {
  SHIPMENT_HISTORY_LIMITS, type ShipmentHistoryConfig,
} from '../adapters/clickhouse/shipment-history.ts';
import type { ClickHouseConfig } from '../adapters/clickhouse/clickhouse.ts';
import type { gatewaysSettings } from '../adapters/config/gateways.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import type { HttpConfig } from '../adapters/http/ports.ts';
import type { AdminConfig } from '../adapters/http/server/open-admin.ts';
import { countriesOf } from '../adapters/config/countries.ts';
import type { ServerConfig } from '../adapters/http/server/open-server.ts';
import { REDIS_DEFAULTS, ratesIn, type RedisConfig } from '../adapters/redis/config.ts';
import { BODY_DEPTH_MAX } from '../kernel/limits.ts';
import type { TenantConfig } from '../kernel/tenant-limits.ts';
import { trustedProxiesOf } from './require-decisions.ts';
import { redisConfigOf as sharedRedisConfigOf, type LogUse } from '../process/open-log.ts';

/** The configuration of the gateways, by the names of its variables. */
export type GatewaysConfig = ConfigOf<typeof gatewaysSettings>;

const DISCARDED_BYTES_MAX = 8_388_608;
const FAULT_RETRY_AFTER_SECONDS_MAX = 5;
const DELAYED_REJECTIONS = {
  refusalsPerSecond: 20, refusalsBurst: 50, refusalHoldMsMax: 2_000, refusalsHeldMax: 10_000,
};
const LARGE_BODIES = { largeBodyBytesMin: 524_288, restRatio: 8, restMsMax: 5_000 };
const CLIENT_CONCURRENCY = {
  clientCallsMax: 128, activeMs: 1_000, parkedMsMax: 2_000, parkedMax: 10_000,
};
const STREAM_RIGHTS = { streamRecheckMs: 15_000, streamUncheckedMsMax: 300_000 };
const TENANT_CHARGE_MS = 1_000;
const HEADER_BYTES_MAX = 8_192;
const OUTCOME_ROWS_MAX = 10_000;
/** A page of a fleet of the past, and the row that says whether there is a next one. */
const PICTURE_LIMITS = { requestMsMax: 5_000, connectionsMax: 4, resultRowsMax: 10_001 };

/** What the HTTP adapter needs to know about every call. */
export function httpConfigOf(config: GatewaysConfig): HttpConfig {
  return {
    countries: countriesOf(config.RASTRO_COUNTRIES),
    requestDeadlineMs: config.RASTRO_HTTP_REQUEST_DEADLINE_MS,
    admissionFreshMs: config.RASTRO_HTTP_ADMISSION_FRESH_MS,
    overdueGraceMs: config.RASTRO_HTTP_OVERDUE_GRACE_MS,
    bodyBytesInFlightMax: config.RASTRO_HTTP_BODY_BYTES_IN_FLIGHT_MAX,
    discardedBytesMax: DISCARDED_BYTES_MAX,
    bodyDepthMax: BODY_DEPTH_MAX,
    ...STREAM_RIGHTS,
    trustedProxies: trustedProxiesOf(config.RASTRO_TRUSTED_PROXIES),
    faultRetryAfterSecondsMax: FAULT_RETRY_AFTER_SECONDS_MAX,
    badTokensPerMinute: config.RASTRO_BAD_TOKENS_PER_MINUTE,
    badTokensBurst: config.RASTRO_BAD_TOKENS_BURST,
    tenants: tenantsIn(config),
    clientRates: ratesIn(redisConfigOf(config)),
    tenantChargeMs: TENANT_CHARGE_MS,
    ...LARGE_BODIES,
    ...DELAYED_REJECTIONS,
    ...CLIENT_CONCURRENCY,
  };
}

/** What all clients of one user may use together. */
export function tenantsIn(config: GatewaysConfig): TenantConfig {
  return {
    clients: config.RASTRO_TENANT_CLIENTS_MAX, bytesPerDay: config.RASTRO_TENANT_BYTES_PER_DAY,
  };
}

/** Where the interface listens, and how long and how much of a connection is borne. */
export function serverConfigOf(config: GatewaysConfig): ServerConfig {
  return {
    host: config.RASTRO_HTTP_HOST,
    port: config.RASTRO_HTTP_PORT,
    headersTimeoutMs: config.RASTRO_HTTP_HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.RASTRO_HTTP_REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: config.RASTRO_HTTP_KEEP_ALIVE_TIMEOUT_MS,
    headerBytesMax: HEADER_BYTES_MAX,
    connectionsMax: config.RASTRO_HTTP_CONNECTIONS_MAX,
    connectionsPerAddressMax: config.RASTRO_HTTP_CONNECTIONS_PER_ADDRESS_MAX,
    trustedProxies: trustedProxiesOf(config.RASTRO_TRUSTED_PROXIES),
  };
}

/** Where the operators' endpoints listen. */
export function adminConfigOf(config: GatewaysConfig): AdminConfig {
  return { host: config.RASTRO_ADMIN_HOST, port: config.RASTRO_GATEWAYS_ADMIN_PORT };
}

/** What the gateways write to the log. */
export function logUseOf(config: GatewaysConfig): LogUse {
  return {
    clientId: 'rastro-gateways',
    writes: Object.values(TOPICS).map(({ name }) => name),
    more: {
      ownBatches: config.RASTRO_KAFKA_OWN_BATCHES,
      append: { waitingBytesMax: config.RASTRO_APPEND_WAITING_BYTES_MAX },
    },
  };
}

/** How the gateways read the history of shipments, as a user who may read nothing else. */
export function historyConfigOf(config: GatewaysConfig): ShipmentHistoryConfig {
  return {
    ...SHIPMENT_HISTORY_LIMITS,
    url: config.CLICKHOUSE_URL,
    tls: readTls('CLICKHOUSE', config.CLICKHOUSE_URL, config),
    user: config.CLICKHOUSE_HISTORY_USER,
    password: config.CLICKHOUSE_HISTORY_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
  };
}

/**
 * How the gateways read the item outcomes of calls, as the same user; undefined without a store.
 */
export function outcomesConfigOf(config: GatewaysConfig): ClickHouseConfig | undefined {
  const { url, tls, user, password, database, requestMsMax, connectionsMax } =
    historyConfigOf(config);
  if (url === undefined) return undefined;
  return {
    url, tls, user, password, database, requestMsMax, connectionsMax,
    resultRowsMax: OUTCOME_ROWS_MAX,
  };
}

/**
 * How the gateways read fleets of the past and ways of devices, as a user who may read nothing
 * else; undefined without a store.
 */
export function picturesConfigOf(config: GatewaysConfig): ClickHouseConfig | undefined {
  const { CLICKHOUSE_URL: url } = config;
  if (url === undefined) return undefined;
  return {
    ...PICTURE_LIMITS, url, tls: readTls('CLICKHOUSE', url, config),
    user: config.CLICKHOUSE_PICTURES_USER, password: config.CLICKHOUSE_PICTURES_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
  };
}

/**
 * How the gateways ask the state store, and the limits of a client that it counts. A claim lives at
 * least as long as a call may take, so no other caller decides before it ends.
 */
export function redisConfigOf(config: GatewaysConfig): RedisConfig {
  return {
    ...sharedRedisConfigOf(config),
    requestsPerSecond: config.RASTRO_REQUESTS_PER_SECOND,
    requestsBurst: config.RASTRO_REQUESTS_BURST,
    locationsPerSecond: config.RASTRO_LOCATIONS_PER_SECOND,
    locationsBurst: config.RASTRO_LOCATIONS_BURST,
    notificationsPerSecond: config.RASTRO_NOTIFICATIONS_PER_SECOND,
    notificationsBurst: config.RASTRO_NOTIFICATIONS_BURST,
    bytesPerSecond: config.RASTRO_BYTES_PER_SECOND,
    bytesBurst: config.RASTRO_BYTES_BURST,
    claimLeaseMs: Math.max(REDIS_DEFAULTS.claimLeaseMs, config.RASTRO_HTTP_REQUEST_DEADLINE_MS),
    deviceRequestsPerSecond: config.RASTRO_DEVICE_REQUESTS_PER_SECOND,
    deviceRequestsBurst: config.RASTRO_DEVICE_REQUESTS_BURST,
    tokenRequestsPerMinute: config.RASTRO_TOKEN_REQUESTS_PER_MINUTE,
    tokenRequestsBurst: config.RASTRO_TOKEN_REQUESTS_BURST,
  };
}
