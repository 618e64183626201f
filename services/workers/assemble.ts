import product from '../../package.json' with { type: 'json' };
import interfaceCodes from '../../schemas/data/notification-codes.json' with { type: 'json' };
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { openClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { openAdmin } from '../adapters/http/server/open-admin.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import type { ConsumerConfig } from '../adapters/kafka/open.ts';
import { openRedis } from '../adapters/redis/open-redis.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { startTracing } from '../adapters/tracing/start-tracing.ts';
import { traceAppends, traceBatches, traceInserts } from '../adapters/tracing/trace-way.ts';
import { cataloguesOf } from '../domain/journey/read-catalogue.ts';
import { readNotificationCodes } from '../kernel/read-notification-codes.ts';
import type { LogHandler } from '../kernel/record-log.ts';
import { formatRecordId } from '../kernel/record-id.ts';
import type { RowSink } from '../kernel/row-sink.ts';
import type { Signals } from '../kernel/signals.ts';
import type { ProcessStart } from '../process/run-process.ts';
import { openLog, redisConfigOf } from '../process/open-log.ts';
import { createStates } from '../state/create-states.ts';
import {
  clickHouseConfigOf, consumerConfigOf, fillsFurther, tableWriterConfigOf, watchConfigOf,
  type WorkerParts, type WorkersConfig,
} from './assemble-config.ts';
import { foldErasures, foldOverflow } from './assemble-folds.ts';
import { keepOpenDeadLetters, openParking } from './assemble-parking.ts';
import {
  openAuthorizer, openCommandSender, openExaminer, openPuller, openWebhookSender,
} from './assemble-parties.ts';
import { startTableWatches } from './assemble-table-watches.ts';
import { CRASH_BREAKER_LIMITS, createCrashBreaker } from './common/crash-breaker.ts';
import { createDeadLetters, type DeadLetters } from './common/dead-letters.ts';
import { createKeyOrder, KEY_ORDER_LIMITS } from './common/key-order.ts';
import { POISON_FLOOD_LIMITS } from './common/poison-flood.ts';
import { repeatPoll } from './common/repeat-poll.ts';
import { readByWriter, readerByWriter } from './common/read-by-writer.ts';
import { createRecordReader } from './common/read-record.ts';
import { createLagWatch, LAG_POLL_MS } from './common/watch-lag.ts';
import { CODES_LIMITS, CODES_POLL_MS, createCodes } from './journey/codes.ts';
import { createJourneyWorker } from './journey/pipeline.ts';
import type { CommandSender } from './parties/commands/pipeline.ts';
import { createDropKeys } from './projector/personal/drop-keys.ts';
import {
  createProjection, PROJECTOR_LIMITS, type RecordReading,
} from './projector/projections.ts';
import { checkpointSources, rebuildSourcesOf } from './rebuild-sources.ts';
import { createKeepCheckpoint } from './rebuild/keep-checkpoint.ts';
import { createTailReader } from './rebuild/read-tail.ts';
import { createStateWatch } from './rebuild/watch-state.ts';
import type { TableWriterConfig, TableWriterPorts } from './table-writer/config.ts';
import { enterRecords } from './table-writer/ledger.ts';
import { DIVERSION_LIMITS, FLOOD_LIMITS } from './table-writer/overflow/config.ts';
import { divertFloods } from './table-writer/overflow/divert-floods.ts';
import { createSkipErased, type SkipErased } from './table-writer/skip-erased.ts';
import { createTableWriter } from './table-writer/pipeline.ts';
import { noDeadLetters, withoutFreshness } from './table-writer/further-replica.ts';
import { replicaGroupOf, watchesState, workerOf, WORKERS, type WorkerId } from './workers.ts';

/** The topics that workers read, in groups and whole, and those that they write. */
const READ = [...new Set(WORKERS.flatMap(({ reads, replays }) => [...reads, ...replays]))];
const WRITTEN = [...new Set(WORKERS.flatMap(({ writes }) => writes))];
const DEAD_LETTERS = { codeVersion: product.version, appendMsMax: 10_000 };
const BATCHES = { ...POISON_FLOOD_LIMITS, ...PROJECTOR_LIMITS };

/** What every worker is handed; the dead letters are in its own name. */
type Shared = Pick<TableWriterPorts, 'clock' | 'signals' | 'deadLetters' | 'breaker'>
  & RecordReading;

/**
 * Opens what the workers use and starts the named ones; everything acquired is given back
 * through `lifecycle`, readers before what they write to. `onCrash` gets the first error that a
 * worker cannot go on after: then the process must end with nothing more committed.
 */
export async function startWorkers(
  given: ProcessStart<WorkerId, WorkersConfig>,
): Promise<void> {
  const { parts: ids, config, signals, lifecycle } = given;
  const tracer = await startTracing('workers', config, { signals });
  if (tracer !== undefined) lifecycle.onRelease('traces', tracer.close);
  const redis = redisConfigOf(config);
  const states = createStates(redis, await openRedis(redis, { signals, clock: systemClock }));
  lifecycle.onRelease('redis', () => states.close());
  const log = await openLog(
    config, { clientId: 'rastro-workers', writes: WRITTEN, reads: READ }, signals, lifecycle,
  );
  const { schemas } = log;
  const kafka = {
    ...log, recordLog: traceAppends(log.recordLog, tracer),
    reader: readerByWriter(log.reader, schemas),
  };
  const readRecord = createRecordReader(loadSchemas());
  const parts: WorkerParts = { ...given, states, kafka, tracer, readRecord, schemas };
  if (watchesState(ids)) startStateWatch(parts);
  for (const id of ids) await startWorker(id, parts);
  const groups = ids.filter((id) => workerOf(id).reads.length > 0)
    .map((id) => consumerConfigOf(config, id));
  watchLag(groups, parts);
  await openOperatorsEndpoints(parts);
  signals.working({ workers: ids.join(' ') });
}

async function startWorker(id: WorkerId, parts: WorkerParts): Promise<void> {
  const { config, lifecycle, kafka, tracer, onCrash } = parts;
  const worker = openWorker(id, parts);
  if (!('onRecords' in worker)) {
    lifecycle.onRelease(id, worker.stop);
    worker.start();
    return;
  }
  const consumed = consumerConfigOf(config, id);
  const consumer = kafka.consumer(consumed, onCrash);
  lifecycle.onRelease(id, () => consumer.stop());
  if ('halt' in worker) lifecycle.onRelease(`${id}-halt`, worker.halt);
  const reading = readByWriter(worker, parts.schemas);
  await consumer.start(traceBatches<LogHandler>(reading, consumed.group, tracer));
}

/** A worker that serves a due queue. */
interface DueWorker {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

function openWorker(id: WorkerId, parts: WorkerParts): LogHandler | CommandSender | DueWorker {
  const { states, kafka, readRecord } = parts;
  const signals = signalsOf(id, parts);
  const deadLetters = deadLettersOf(id, parts);
  const breaker = createCrashBreaker(CRASH_BREAKER_LIMITS, states.defectsOf(id));
  const shared = { clock: systemClock, signals, deadLetters, readRecord, breaker };
  const projected = { ...shared, ...states };
  switch (id) {
    case 'projector.access': return createProjection('access', BATCHES, projected);
    case 'projector.devices': return createProjection('devices', BATCHES, projected);
    case 'projector.deliveries':
      return createProjection('deliveries', BATCHES, projected);
    case 'projector.commands': return createProjection('commands', BATCHES, projected);
    case 'projector.authorizations':
      return createProjection('authorizations', BATCHES, projected);
    case 'projector.personal':
      return createProjection('personal', BATCHES, {
        ...projected,
        dropKeys: createDropKeys(DEAD_LETTERS, { log: kafka.recordLog, clock: systemClock }),
      });
    case 'journey': return openJourney(parts, shared);
    case 'table-writer': return openTableWriter(parts, shared);
    case 'table-writer.overflow': return openOverflowWriter(parts, shared);
    case 'parties.commands': return openCommandSender({ ...parts, deadLetters });
    case 'parties.authorizations': return openAuthorizer({ ...parts, deadLetters });
    case 'parties.feeds': return openPuller({ ...parts, deadLetters });
    case 'parties.webhooks': return openWebhookSender({ ...parts, deadLetters });
    case 'parties.examinations': return openExaminer({ ...parts, deadLetters });
  }
}

function signalsOf(worker: WorkerId, { config, signals }: WorkerParts): Signals {
  return fillsFurther(worker, config) ? withoutFreshness(signals) : signals;
}

/** What fills a further replica writes nothing to the log: the first one's writer does. */
function deadLettersOf(worker: WorkerId, { config, signals, kafka }: WorkerParts): DeadLetters {
  if (fillsFurther(worker, config)) return noDeadLetters;
  return createDeadLetters(
    { ...DEAD_LETTERS, worker }, { log: kafka.recordLog, clock: systemClock, signals },
  );
}

function openJourney(parts: WorkerParts, shared: Shared): LogHandler {
  const { states, kafka, signals, lifecycle, onCrash } = parts;
  const codes = createCodes(CODES_LIMITS, {
    read: async () => cataloguesOf(
      interfaceCodes, await readNotificationCodes(kafka.reader, TOPICS.notificationCodes.name),
    ),
    clock: systemClock, pause: systemPause, signals,
  });
  const poll = repeatPoll(CODES_POLL_MS, () => codes.poll(), {
    pause: systemPause, onCrash,
    onFault: (reason) => { signals.codesReadFailed({ reason }); },
  });
  lifecycle.onRelease('codes-poll', poll.stop);
  poll.start();
  keepOpenDeadLetters(parts);
  const { appendMsMax } = DEAD_LETTERS;
  const keys = {
    ...KEY_ORDER_LIMITS, ...DEAD_LETTERS, worker: 'journey', topic: TOPICS.notifications.name,
  };
  return createJourneyWorker({ ...POISON_FLOOD_LIMITS, appendMsMax }, {
    ...shared, codes, shipments: states.shipments, log: kafka.recordLog, digest: sha256,
    order: createKeyOrder(keys, {
      ...shared, log: kafka.recordLog, parking: openParking(keys, parts),
    }),
  });
}

/** The one worker that also reports the outcomes of items and counts the parts of its tables. */
function openTableWriter(parts: WorkerParts, shared: Shared): LogHandler {
  const { config, signals, states, lifecycle, tracer } = parts;
  const sink = openClickHouse(clickHouseConfigOf(config), { signals });
  lifecycle.onRelease('clickhouse', () => sink.close());
  startTableWatches(parts, sink);
  const replica = config.RASTRO_CLICKHOUSE_REPLICA;
  const pending = states.pendingInsertsOf(replicaGroupOf('table-writer', replica));
  const limits = tableWriterConfigOf(config);
  const traced = traceInserts(sink, tracer);
  const writer = createTableWriter(limits, {
    ...shared, sink: traced, pending, erased: skipErasedOf(parts),
  });
  // What overflows reaches a further replica by the topic of its own and by its origin, once.
  return replica === undefined ? diverted(writer, limits, sink, parts) : writer;
}

/** What the log says is erased, read again while records come in. */
function skipErasedOf(parts: WorkerParts): SkipErased {
  return createSkipErased({ clock: systemClock, digest: sha256, read: foldErasures(parts) });
}

/** Puts the way into the overflow topic before a table writer (ADR 0018, ADR 0062). */
function diverted(
  writer: LogHandler, limits: TableWriterConfig, sink: RowSink, parts: WorkerParts,
): LogHandler {
  const { kafka, signals } = parts;
  const { origin } = DIVERSION_LIMITS;
  const table = limits.tables[origin] ?? '';
  return divertFloods(DIVERSION_LIMITS, FLOOD_LIMITS, {
    ...kafka, signals, clock: systemClock, pause: systemPause,
    log: kafka.recordLog, watch: createLogWatch(kafka.admin), readDecisions: foldOverflow(parts),
    enter: (records) => enterRecords(
      limits, sink, [{ topic: origin, table, ranges: [], records }],
      `quarantine/${sha256(records.map(formatRecordId).join())}`,
    ),
  }, writer);
}

/** Brings the overflow topic, and nothing else, into the table of its origin. */
function openOverflowWriter(parts: WorkerParts, shared: Shared): LogHandler {
  const { config, signals, states, lifecycle } = parts;
  const sink = openClickHouse(clickHouseConfigOf(config), { signals });
  lifecycle.onRelease('overflow-clickhouse', () => sink.close());
  const limits = tableWriterConfigOf(config);
  const { overflow, origin } = DIVERSION_LIMITS;
  return createTableWriter({ ...limits, tables: { [overflow]: limits.tables[origin] ?? '' } }, {
    ...shared, sink, erased: skipErasedOf(parts),
    pending: states.pendingInsertsOf(
      replicaGroupOf('table-writer.overflow', config.RASTRO_CLICKHOUSE_REPLICA),
    ),
    // Item outcomes are read from the dead letters of the table writer, for both topics.
    deadLetters: deadLettersOf('table-writer', parts),
  });
}

function startStateWatch(parts: WorkerParts): void {
  const { config, signals, states, kafka, lifecycle, readRecord, schemas, onCrash } = parts;
  const { checkpoints, readiness, lastFixes } = states;
  const topicIds = (topics: readonly string[]) => kafka.admin.topicIds(topics);
  const logWatch = createLogWatch(kafka.admin);
  const watch = createStateWatch(watchConfigOf(config), {
    readiness, lastFixes, owner: createIds(systemClock).nonce(),
    tailReader: () => readerByWriter(createTailReader({
      checkpoints, watch: logWatch, rangeReader: kafka.rangeReader, topicIds, clock: systemClock,
      signals,
    }), schemas),
    keepCheckpoint: createKeepCheckpoint(checkpointSources(), {
      checkpoints, watch: logWatch, topicIds, clock: systemClock,
    }),
    clock: systemClock, pause: systemPause, signals, onCrash,
  }, rebuildSourcesOf(states, readRecord));
  lifecycle.onRelease('state-watch', () => watch.stop());
  watch.start();
}

function watchLag(groups: readonly ConsumerConfig[], parts: WorkerParts): void {
  const lag = createLagWatch({ pollMs: LAG_POLL_MS, groups }, {
    ...parts, watch: createLogWatch(parts.kafka.admin), clock: systemClock, pause: systemPause,
  });
  parts.lifecycle.onRelease('lag-watch', lag.stop);
  lag.start();
}

/** A worker is ready once it reads; a part that is away makes it wait, not unready. */
async function openOperatorsEndpoints({ config, signals, lifecycle }: WorkerParts): Promise<void> {
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
