import { bundleOf } from '../../schemas/bundles.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { openClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { createIngestFates } from '../adapters/clickhouse/ingest-fates.ts';
import { openShipmentHistory } from '../adapters/clickhouse/shipment-history.ts';
import { mountOperations } from '../adapters/http/mount-operations.ts';
import { openAdmin } from '../adapters/http/server/open-admin.ts';
import { openServer, type HttpServer } from '../adapters/http/server/open-server.ts';
import { openImages } from '../adapters/images/images.ts';
import { openKafka, type KafkaLog } from '../adapters/kafka/open.ts';
import { openRedis, type RedisStates } from '../adapters/redis/open-redis.ts';
import { openRecordSchemas } from '../adapters/registry/schemas.ts';
import { openScanner } from '../adapters/scanner/open-scanner.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import type { RunningSignals } from '../adapters/signals/signals.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { traceAppends } from '../adapters/tracing/trace-way.ts';
import type { ScanBody } from '../kernel/body-scanner.ts';
import { isUnavailable } from '../kernel/unavailable.ts';
import type { IngestFates } from '../kernel/ingest.ts';
import { createStates } from '../state/create-states.ts';
import {
  adminConfigOf, fatesConfigOf, historyConfigOf, httpConfigOf, kafkaConfigOf, redisConfigOf,
  serverConfigOf, type GatewaysConfig,
} from './assemble-config.ts';
import { operationsOf, type GatewayRoom } from './assemble-operations.ts';
import { createAuthorizeCaller } from '../domain/access/authorize.ts';
import { createLeaving } from './common/leaving.ts';
import { problemErrors } from './common/problem.ts';

const REGISTRY_BOOT_MS_MAX = 60_000;

/**
 * Opens what the gateways stand on, mounts the operations of the named rooms and listens. Resolves
 * once calls are answered; everything acquired is given back through `lifecycle`.
 */
export async function startGateways(
  rooms: readonly GatewayRoom[], config: GatewaysConfig, signals: RunningSignals,
  lifecycle: Lifecycle,
): Promise<{ readonly http: HttpServer; readonly admin: HttpServer }> {
  const tracer = await startTracing('gateways', config, { signals });
  if (tracer !== undefined) lifecycle.onRelease('traces', tracer.close);
  const redis = redisConfigOf(config);
  const states = createStates(redis, await openRedis(redis, { signals, clock: systemClock }));
  lifecycle.onRelease('redis', () => states.close());
  const log = traceAppends((await openLog(config, signals, lifecycle)).recordLog, tracer);
  const ids = createIds(systemClock);
  const images = openImages(
    { folder: config.RASTRO_IMAGE_DIR, key: config.RASTRO_IMAGE_KEY }, { signals },
  );
  const history = openShipmentHistory(historyConfigOf(config));
  lifecycle.onRelease('history', () => history.close());
  const fates = openFates(config, signals, lifecycle);
  const scanLocations = scanLocationsOf(config);
  const personal = createPersonalSeals(config.RASTRO_PERSONAL_KEY, {
    states: states.personalKeys, log, clock: systemClock,
  });
  const ports = { states, log, images, personal, history, fates, scanLocations };
  const app = mountOperations(operationsOf(rooms, config, ports), {
    clock: systemClock, ids, signals,
    admission: states.admission,
    authorize: createAuthorizeCaller({ clientIdRequired: config.RASTRO_CLIENT_ID_REQUIRED }),
    schemas: loadSchemas(),
    errors: problemErrors,
    random: Math.random,
    tracer,
  }, httpConfigOf(config));

  const leaving = createLeaving({
    lameDuckMs: config.RASTRO_LAME_DUCK_MS, drainMsMax: config.RASTRO_DRAIN_MS_MAX,
  }, systemPause);
  const admin = await openAdmin(adminConfigOf(config), { ids, signals }, {
    unready: () => unready(states),
    isDraining: leaving.isLeaving,
    metrics: signals.metrics,
  });
  lifecycle.onRelease('admin', () => admin.close(0));
  const http = await openServer(
    serverConfigOf(config), { errors: problemErrors, ids, signals }, app,
  );
  lifecycle.onRelease('http', () => leaving.leave(http));
  return { http, admin };
}

/** The one-pass scanner of bodies of locations, unless it is switched off. */
function scanLocationsOf(config: GatewaysConfig): ScanBody | undefined {
  return config.RASTRO_LOCATION_SCANNER
    ? openScanner('LocationsBody', { text: 'device_id', list: 'locations' })
    : undefined;
}

async function openLog(
  config: GatewaysConfig, signals: RunningSignals, lifecycle: Lifecycle,
): Promise<KafkaLog> {
  const schemas = openRecordSchemas({
    url: config.SCHEMA_REGISTRY_URL, clientId: 'rastro-gateways', requestMsMax: 5_000,
  }, { clock: systemClock, signals });
  await schemas.register(Object.values(TOPICS).map(({ name, subject, record }) => ({
    topic: name, subject, schema: bundleOf(record),
  })), systemClock.nowMs() + REGISTRY_BOOT_MS_MAX);
  const kafka = openKafka(kafkaConfigOf(config), {
    signals, clock: systemClock, schemaIdOf: (topic) => schemas.schemaIdOf(topic),
  });
  lifecycle.onRelease('kafka', () =>
    kafka.close(systemClock.nowMs() + config.RASTRO_DRAIN_MS_MAX));
  return kafka;
}

function openFates(
  config: GatewaysConfig, signals: RunningSignals, lifecycle: Lifecycle,
): IngestFates {
  const own = fatesConfigOf(config);
  if (own === undefined) return createIngestFates(undefined);
  const store = openClickHouse(own, { signals });
  lifecycle.onRelease('fates', () => store.close());
  return createIngestFates(store);
}

/** A gateway takes calls only while the state store is there and built. */
async function unready(states: Pick<RedisStates, 'readiness'>): Promise<readonly string[]> {
  try {
    return await states.readiness.isReady() ? [] : ['state'];
  } catch (error) {
    if (isUnavailable(error)) return ['state'];
    throw error;
  }
}
