import product from '../../package.json' with { type: 'json' };
import { bundleOf } from '../../schemas/bundles.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import interfaceCodes from '../../schemas/data/notification-codes.json' with { type: 'json' };
import { openClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { createIngestAudit } from '../adapters/clickhouse/ingest-audit.ts';
import { createTableParts } from '../adapters/clickhouse/table-parts.ts';
import { readJsonFile } from '../adapters/config/read-json-file.ts';
import { openAdmin } from '../adapters/http/server/open-admin.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { openKafka, type ConsumerConfig, type KafkaLog } from '../adapters/kafka/open.ts';
import { openRedis, type RedisStates } from '../adapters/redis/open-redis.ts';
import { openRecordSchemas } from '../adapters/registry/schemas.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import type { RunningSignals } from '../adapters/signals/signals.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { traceAppends, traceBatches, traceInserts } from '../adapters/tracing/trace-way.ts';
import { readCatalogue } from '../domain/journey/read-catalogue.ts';
import type { LogHandler } from '../kernel/record-log.ts';
import type { Tracer } from '../kernel/tracing.ts';
import { createStates, type States } from '../state/create-states.ts';
import { QUARANTINE_GROUP } from '../kernel/quarantine.ts';
import { createAccessKeeper } from './projector/access/pipeline.ts';
import { openAuthorizer } from './assemble-authorizer.ts';
import { openDispatcher } from './assemble-dispatcher.ts';
import { divertedFrom, laneConfigOf } from './assemble-quarantine.ts';
import { openPuller } from './assemble-puller.ts';
import {
  clickHouseConfigOf, consumerConfigOf, kafkaConfigOf, POSITION_AGE_SECONDS_MAX, redisConfigOf,
  TABLE_WRITER_GROUP, tableWriterConfigOf, watchConfigOf, type WorkersConfig,
} from './assemble-config.ts';
import { createAuthorizationKeeper } from './projector/authorizations/pipeline.ts';
import { createCommandKeeper } from './projector/commands/pipeline.ts';
import { createDeadLetters, type DeadLetters } from './common/dead-letters.ts';
import { createKeyOrder, KEY_ORDER_LIMITS } from './common/key-order.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import { createRecordReader, type ReadRecord } from './common/read-record.ts';
import { createLagWatch, LAG_POLL_MS } from './common/watch-lag.ts';
import { createDeliveryKeeper } from './projector/deliveries/pipeline.ts';
import { createDeviceKeeper } from './projector/devices/pipeline.ts';
import type { Dispatcher } from './parties/commands/pipeline.ts';
import { createPersonalKeeper } from './projector/personal/pipeline.ts';
import { rebuildSourcesOf } from './assemble-rebuild-sources.ts';
import { createStateWatch, type StateWatch } from './rebuild/watch-state.ts';
import { createShipmentKeeper } from './journey/pipeline.ts';
import { createTableWriter } from './table-writer/pipeline.ts';
import type { TableWriterPorts } from './table-writer/config.ts';
import { createFateWatch, FATE_WATCH_LIMITS } from './table-writer/watch-fates.ts';
import { createPartsWatch, PARTS_POLL_MS } from './table-writer/watch-parts.ts';

/** Workers that can be run by themselves; `all` runs every one. */
export const WORKERS = [
  'access-keeper', 'device-keeper', 'command-keeper', 'dispatcher', 'delivery-keeper',
  'authorization-keeper', 'authorizer', 'shipment-keeper', 'puller', 'personal-keeper',
  'table-writer', 'quarantine-writer',
] as const;

/** The name of one worker. */
export type WorkerName = (typeof WORKERS)[number];

/** The topics that workers write. */
const WRITTEN = [
  TOPICS.deadLetters, TOPICS.providerCommandResults, TOPICS.authorizationCalls, TOPICS.journey,
  TOPICS.notifications, TOPICS.feeds, TOPICS.personalKeys, TOPICS.deadLetterRepairs,
  TOPICS.quarantinedLocations,
];
const REGISTRY_BOOT_MS_MAX = 60_000;
const DEAD_LETTERS = { codeVersion: product.version, appendMsMax: 10_000 };
const POSITIONS = { positionAgeSecondsMax: POSITION_AGE_SECONDS_MAX };

interface Parts {
  readonly config: WorkersConfig;
  readonly signals: RunningSignals;
  readonly lifecycle: Lifecycle;
  readonly states: RedisStates & States;
  readonly kafka: KafkaLog;
  readonly tracer: Tracer | undefined;
  readonly readRecord: ReadRecord;
  readonly onCrash: (error: unknown) => void;
}

/**
 * Opens what the workers stand on and starts the named ones; everything acquired is given back
 * through `lifecycle`, readers before what they write to. `onCrash` gets the first error that a
 * worker cannot go on after: then the process must end with nothing more committed.
 */
export async function startWorkers(
  names: readonly WorkerName[], config: WorkersConfig, signals: RunningSignals,
  lifecycle: Lifecycle, onCrash: (error: unknown) => void,
): Promise<void> {
  const tracer = await startTracing('workers', config, { signals });
  if (tracer !== undefined) lifecycle.onRelease('traces', tracer.close);
  const redis = redisConfigOf(config);
  const states = createStates(redis, await openRedis(redis, { signals, clock: systemClock }));
  lifecycle.onRelease('redis', () => states.close());
  const log = await openLog(config, signals, lifecycle);
  const kafka = { ...log, recordLog: traceAppends(log.recordLog, tracer) };
  const readRecord = createRecordReader(loadSchemas());
  const parts: Parts = {
    config, signals, lifecycle, states, kafka, tracer, readRecord, onCrash,
  };
  if (names.includes('access-keeper')) {
    const watch = stateWatchOf(parts);
    lifecycle.onRelease('state-watch', () => watch.stop());
    watch.start();
  }
  const groups: ConsumerConfig[] = [];
  for (const name of names) {
    if (name === 'authorizer' || name === 'puller') {
      const caller = name === 'puller'
        ? openPuller({ ...parts, deadLetters: deadLettersOf('puller', parts) })
        : openAuthorizer(parts);
      lifecycle.onRelease(name, caller.stop);
      caller.start();
      continue;
    }
    const handler = handlerOf(name, parts);
    const consumed = consumerConfigOf(config, name);
    groups.push(consumed);
    const consumer = kafka.consumer(consumed, onCrash);
    lifecycle.onRelease(name, () => consumer.stop());
    if ('halt' in handler) lifecycle.onRelease(`${name}-halt`, handler.halt);
    await consumer.start(traceBatches<LogHandler>(handler, consumed.group, tracer));
  }
  watchLag(groups, parts);
  await openOperatorsEndpoints(parts);
}

function watchLag(groups: readonly ConsumerConfig[], parts: Parts): void {
  const lag = createLagWatch({ pollMs: LAG_POLL_MS, groups }, {
    ...parts, watch: createLogWatch(parts.kafka.admin), clock: systemClock, pause: systemPause,
  });
  parts.lifecycle.onRelease('lag-watch', lag.stop);
  lag.start();
}

/** A worker is ready once it reads; a part that is away makes it wait, not unready. */
async function openOperatorsEndpoints({ config, signals, lifecycle }: Parts): Promise<void> {
  let isDraining = false;
  const admin = await openAdmin(
    { host: config.RASTRO_ADMIN_HOST, port: config.RASTRO_WORKERS_ADMIN_PORT },
    { ids: createIds(systemClock), signals },
    {
      unready: () => Promise.resolve([]),
      isDraining: () => isDraining,
      metrics: signals.metrics,
    },
  );
  signals.listening({ url: undefined, admin_url: admin.url, rooms: undefined });
  lifecycle.onRelease('admin', async () => {
    isDraining = true;
    await admin.close(0);
  });
}

async function openLog(
  config: WorkersConfig, signals: RunningSignals, lifecycle: Lifecycle,
): Promise<KafkaLog> {
  const schemas = openRecordSchemas({
    url: config.SCHEMA_REGISTRY_URL, clientId: 'rastro-workers', requestMsMax: 5_000,
  }, { clock: systemClock, signals });
  await schemas.register(
    WRITTEN.map(({ name, subject, record }) => (
      { topic: name, subject, schema: bundleOf(record) }
    )),
    systemClock.nowMs() + REGISTRY_BOOT_MS_MAX,
  );
  const kafka = openKafka(kafkaConfigOf(config), {
    signals, clock: systemClock, schemaIdOf: (topic) => schemas.schemaIdOf(topic),
  });
  lifecycle.onRelease('kafka', () =>
    kafka.close(systemClock.nowMs() + config.RASTRO_DRAIN_MS_MAX));
  return kafka;
}

function deadLettersOf(worker: WorkerName, { signals, kafka }: Parts): DeadLetters {
  return createDeadLetters(
    { ...DEAD_LETTERS, worker }, { log: kafka.recordLog, clock: systemClock, signals },
  );
}

function handlerOf(
  name: Exclude<WorkerName, 'authorizer' | 'puller'>, parts: Parts,
): LogHandler | Dispatcher {
  const { config, signals, states, kafka, lifecycle } = parts;
  const { readRecord } = parts;
  const shared = {
    clock: systemClock, signals, deadLetters: deadLettersOf(name, parts), readRecord,
  };
  switch (name) {
    case 'access-keeper':
      return createAccessKeeper(POISON_FLOOD_LIMITS, {
        ...shared, access: states.access, parties: states.parties,
      });
    case 'device-keeper':
      return createDeviceKeeper(
        { ...POISON_FLOOD_LIMITS, ...POSITIONS },
        { ...shared, devices: states.devices, positions: states.positions },
      );
    case 'delivery-keeper':
      return createDeliveryKeeper(
        { ...POISON_FLOOD_LIMITS, ...POSITIONS }, { ...shared, traceables: states.traceables },
      );
    case 'command-keeper':
      return createCommandKeeper(POISON_FLOOD_LIMITS, { ...shared, commands: states.commands });
    case 'authorization-keeper':
      return createAuthorizationKeeper(POISON_FLOOD_LIMITS, { ...shared, ...states });
    case 'personal-keeper': {
      const { appendMsMax } = DEAD_LETTERS;
      return createPersonalKeeper({ ...POISON_FLOOD_LIMITS, appendMsMax }, {
        ...shared, personalKeys: states.personalKeys, log: kafka.recordLog,
      });
    }
    case 'dispatcher':
      return openDispatcher({ ...parts, ...shared });
    case 'shipment-keeper': {
      const own = readJsonFile(config.RASTRO_NOTIFICATION_CODES_FILE);
      const catalogue = readCatalogue(interfaceCodes, own);
      const { appendMsMax } = DEAD_LETTERS;
      return createShipmentKeeper({ ...POISON_FLOOD_LIMITS, catalogue, appendMsMax }, {
        ...shared, shipments: states.shipments, log: kafka.recordLog, digest: sha256,
        order: createKeyOrder(
          { ...KEY_ORDER_LIMITS, ...DEAD_LETTERS, worker: name, topic: TOPICS.notifications.name },
          { ...shared, log: kafka.recordLog, reader: kafka.reader },
        ),
      });
    }
    case 'table-writer': return openTableWriter(parts, shared);
    case 'quarantine-writer': {
      const sink = openClickHouse(clickHouseConfigOf(config), { signals });
      lifecycle.onRelease('quarantine-clickhouse', () => sink.close());
      return createTableWriter(laneConfigOf(tableWriterConfigOf(config)), {
        ...shared, sink, pending: states.pendingInsertsOf(QUARANTINE_GROUP),
        // Fates are told by the letters of the table writer, whichever way a record went.
        deadLetters: deadLettersOf('table-writer', parts),
      });
    }
  }
}

/** The one worker that also tells the fates of items and counts the parts of its tables. */
function openTableWriter(
  parts: Parts, shared: Pick<TableWriterPorts, 'clock' | 'signals' | 'deadLetters'>,
): LogHandler {
  const { config, signals, states, lifecycle, tracer } = parts;
  const sink = openClickHouse(clickHouseConfigOf(config), { signals });
  lifecycle.onRelease('clickhouse', () => sink.close());
  const fates = createFateWatch(FATE_WATCH_LIMITS, {
    audit: createIngestAudit(sink), clock: systemClock, pause: systemPause, signals,
    onCrash: parts.onCrash,
  });
  lifecycle.onRelease('fate-watch', () => fates.stop());
  fates.start();
  const tableParts = createPartsWatch(PARTS_POLL_MS, {
    parts: createTableParts(sink), pause: systemPause, signals, onCrash: parts.onCrash,
  });
  lifecycle.onRelease('parts-watch', tableParts.stop);
  tableParts.start();
  const pending = states.pendingInsertsOf(TABLE_WRITER_GROUP);
  const writer = tableWriterConfigOf(config);
  return divertedFrom(
    createTableWriter(writer, { ...shared, sink: traceInserts(sink, tracer), pending }),
    writer, { ...parts, sink },
  );
}

function stateWatchOf(
  { config, signals, states, kafka, readRecord, onCrash }: Parts,
): StateWatch {
  return createStateWatch(watchConfigOf(config), {
    readiness: states.readiness,
    positions: states.positions,
    reader: kafka.reader,
    owner: createIds(systemClock).nonce(),
    clock: systemClock,
    pause: systemPause,
    signals,
    onCrash,
  }, rebuildSourcesOf(states, readRecord));
}
