import { mountOperations } from '../adapters/http/mount-operations.ts';
import { openAdmin } from '../adapters/http/server/open-admin.ts';
import { openServer } from '../adapters/http/server/open-server.ts';
import { openImages } from '../adapters/images/images.ts';
import { ratesIn } from '../adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../adapters/redis/open-redis.ts';
import { openScanner } from '../adapters/scanner/open-scanner.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { namesOfInterface } from '../adapters/schema/names-in.ts';
import { createPersonalSeals } from '../adapters/secrets/personal-seals.ts';
import { openSite } from '../adapters/site/open-site.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { traceAppends } from '../adapters/tracing/trace-way.ts';
import type { ScanBody } from '../kernel/body-scanner.ts';
import type { Pages } from '../kernel/pages.ts';
import type { RecordLog } from '../kernel/record-log.ts';
import type { StateStore } from '../kernel/state-store.ts';
import { isUnavailable } from '../kernel/unavailable.ts';
import { openLog } from '../process/open-log.ts';
import type { ProcessStart } from '../process/run-process.ts';
import {
  adminConfigOf, httpConfigOf, logUseOf, redisConfigOf, serverConfigOf, tenantsIn,
  type GatewaysConfig,
} from './assemble-config.ts';
import { createStates, type States } from '../state/create-states.ts';
import { operationsOf } from './assemble-operations.ts';
import { consoleOf } from './assemble-console.ts';
import { openLive } from './assemble-live.ts';
import { openDeadLetterSource, openOverflowSource } from './assemble-operator.ts';
import { openPipeline } from './assemble-pipeline.ts';
import { openTableReads } from './assemble-tables.ts';
import { createAuthorizeCaller } from '../domain/access/authorize.ts';
import { joinPages } from './common/join-pages.ts';
import { createLeaving } from './common/leaving.ts';
import { problemErrors } from './common/problem.ts';
import { createRefusedCalls, REFUSED_CALLS_LIMITS } from './common/refused-calls.ts';
import { createTakenCalls, TAKEN_CALLS_LIMITS } from './common/taken-calls.ts';
import { createPages } from './docs/find-page.ts';
import { isRoomApart, type GatewayRoom } from './gateways.ts';
import { requireDecisions } from './require-decisions.ts';

/**
 * Opens what the gateways need, mounts the operations of the named rooms and listens. Resolves
 * once calls are answered; everything acquired is given back through `lifecycle`.
 */
export async function startGateways(
  given: ProcessStart<GatewayRoom, GatewaysConfig>,
): Promise<void> {
  const { parts: rooms, config, signals, lifecycle, onCrash } = given;
  requireDecisions(rooms, config);
  const tracer = await startTracing('gateways', config, { signals });
  if (tracer !== undefined) lifecycle.onRelease('traces', tracer.close);
  const redis = redisConfigOf(config);
  const states = createStates(redis, await openRedis(redis, { signals, clock: systemClock }));
  lifecycle.onRelease('redis', () => states.close());
  const kafka = await openLog(config, logUseOf(config), signals, lifecycle);
  const log = traceAppends(kafka.recordLog, tracer);
  const ids = createIds(systemClock);
  const images = openImages(
    { folder: config.RASTRO_IMAGE_DIR, key: config.RASTRO_IMAGE_KEY }, { signals },
  );
  const tables = openTableReads(config, signals, lifecycle);
  const scanLocations = scanLocationsOf(config);
  const sealsOver = (states: Pick<States, 'personalKeys'>, log: RecordLog) => (
    createPersonalSeals(config.RASTRO_PERSONAL_KEY, {
      states: states.personalKeys, log, clock: systemClock,
    })
  );
  const live = openLive(rooms, { config, kafka, states, signals, lifecycle, onCrash });
  const deadLetters = openDeadLetterSource(rooms, { kafka, folds: states.folds, signals });
  const overflowSource = openOverflowSource(rooms, { kafka });
  const pipeline = openPipeline(rooms, { kafka, states, ...tables });
  const takenCalls = createTakenCalls(TAKEN_CALLS_LIMITS, {
    store: states.taken, pause: systemPause,
  });
  const ports = {
    states, live, deadLetters, pipeline, overflowSource, log, images,
    personal: sealsOver(states, log),
    ...tables, scanLocations, takenCalls,
    rates: ratesIn(redis), tenants: tenantsIn(config),
    over(store: StateStore, other: RecordLog) {
      const own = createStates(redis, { ...states, store });
      return { states: own, personal: sealsOver(own, other) };
    },
  };
  const names = namesOfInterface();
  const browser = await consoleOf(rooms, config, ports, lifecycle);
  const operations = [...operationsOf(rooms, config, ports), ...browser.operations];
  const app = mountOperations(operations, {
    clock: systemClock, ids, signals,
    admission: states.admission,
    tenantLimits: states.tenantLimits,
    authorize: createAuthorizeCaller({ clientIdRequired: config.RASTRO_CLIENT_ID_REQUIRED }),
    schemas: loadSchemas(),
    errors: problemErrors,
    random: Math.random,
    tracer,
    pages: joinPages([...pagesOf(rooms, config), ...browser.pages]),
    takenCalls,
    refusedCalls: createRefusedCalls(REFUSED_CALLS_LIMITS, {
      store: states.refusals, pause: systemPause, signals,
      isKnownName: (name) => names.has(name),
    }),
  }, httpConfigOf(config));

  const leaving = createLeaving({
    lameDuckMs: config.RASTRO_LAME_DUCK_MS, drainMsMax: config.RASTRO_DRAIN_MS_MAX,
  }, systemPause);
  // Beside others, feeds that do not follow yet are refused alone; the rest of the calls go on.
  const isLiveAlone = rooms.every((room) => isRoomApart(room));
  const admin = await openAdmin(adminConfigOf(config), { ids, signals }, {
    unready: async () => [
      ...await unready(states), ...isLiveAlone && live?.isReady() === false ? ['live'] : [],
    ],
    isDraining: leaving.isLeaving,
    metrics: signals.metrics,
  });
  lifecycle.onRelease('admin', () => admin.close(0));
  const http = await openServer(
    serverConfigOf(config), { errors: problemErrors, ids, signals }, app,
  );
  lifecycle.onRelease('http', async () => {
    // Streams end first: their callers go on at another copy while this one still takes calls.
    await Promise.all([leaving.leave(http), live?.close()]);
  });
  signals.listening({ url: http.url, admin_url: admin.url, rooms: rooms.join(' ') });
}

/** The one-pass scanner of bodies of locations, unless it is switched off. */
function scanLocationsOf(config: GatewaysConfig): ScanBody | undefined {
  return config.RASTRO_LOCATION_SCANNER
    ? openScanner('LocationsBody', { text: 'device_id', list: 'locations' })
    : undefined;
}

/** What people read, at the gateway that has the documents. */
function pagesOf(
  rooms: readonly GatewayRoom[], { RASTRO_DOCS_DIR: folder }: GatewaysConfig,
): readonly Pages[] {
  if (!rooms.includes('docs')) return [];
  return [createPages(folder === undefined ? undefined : openSite(folder))];
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
