import { randomUUID } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  openShipmentHistory, SHIPMENT_HISTORY_LIMITS, type OpenShipmentHistory,
} from '../../../services/adapters/clickhouse/shipment-history.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { LogHandler, RecordLog } from '../../../services/kernel/record-log.ts';
import type { ShipmentStates } from '../../../services/kernel/shipments.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { createJourneyWorker } from '../../../services/workers/journey/pipeline.ts';
import { createJourneyApplier }
  from '../../../services/workers/journey/replay-journeys.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { SAMPLE_CODES } from '../../support/journeys.ts';
import { openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openPushEdge, type PushEdge } from '../../support/push-edge.ts';
import { readRecord } from '../../support/read-record.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, type History } from './history.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';

const POISON = { async write() { throw new Error('Nothing here may be a dead letter.'); } };

/** A running worker. */
export interface RunningWorker {
  /** Resolves with the error of its crash. */
  readonly crash: Promise<unknown>;
  /** Records that it has processed, repeats included. */
  handled(): number;
  stop(): Promise<void>;
}

/** The way of a notification over the real parts, under topics of the test's own. */
export interface ShipmentFlow {
  readonly edge: PushEdge;
  readonly states: OpenedRedis;
  readonly tables: History;
  readonly history: OpenShipmentHistory;
  /** Starts the projector; `over` takes the place of calls to the state store. */
  projector(group: string, over?: Partial<ShipmentStates>): Promise<RunningWorker>;
  writer(group: string): Promise<RunningWorker>;
  /** Folds the log of journeys into an empty state store and makes it ready. */
  rebuild(): Promise<void>;
  /** Records in the log of a kind. */
  inLog(kind: 'notifications' | 'journey'): Promise<number>;
  close(): Promise<void>;
}

/** Opens HTTP, Kafka, Redis and ClickHouse; workers are started by the test. */
export async function openShipmentFlow(): Promise<ShipmentFlow> {
  const topics = { notifications: testTopic(3), journey: testTopic(3) };
  const kafka = openLog('platformatic', stackEnv().KAFKA_BROKERS, Object.values(topics));
  await kafka.admin.ensureTopics(Object.values(topics), 1);
  const states = await openRedisStates();
  const tables = await createHistory();
  const env = stackEnv();
  const history = openShipmentHistory({
    ...SHIPMENT_HISTORY_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_HISTORY_USER,
    password: env.CLICKHOUSE_HISTORY_PASSWORD, database: tables.database,
  });
  const log: RecordLog = {
    append: (record, deadlineMs) => kafka.recordLog.append({
      ...record,
      topic: record.topic === TOPICS.journey.name ? topics.journey.name : topics.notifications.name,
    }, deadlineMs),
  };
  const edge = await openPushEdge();
  edge.reset();
  Object.assign(edge, { log: { ...edge.log, append: log.append }, shipments: states.shipments });
  const shared = {
    clock: wallClock, signals: silentSignals, erased: nothingErased, deadLetters: POISON, log,
  };
  return {
    edge, states, tables, history,
    projector: (group, over = {}) => run(kafka, group, [topics.notifications.name],
      createJourneyWorker(
        { ...POISON_FLOOD_LIMITS, appendMsMax: 10_000 },
        {
          readRecord, ...shared, codes: SAMPLE_CODES,
          digest: sha256, shipments: { ...states.shipments, ...over }
        },
      )),
    writer: (group) => run(kafka, group, Object.values(topics).map(({ name }) => name),
      createTableWriter({
        ...TABLE_WRITER_LIMITS,
        tables: {
          [topics.notifications.name]: 'in_notifications', [topics.journey.name]: 'in_journeys',
        },
      }, {
        ...shared, sink: tables.ingest, pending: states.pendingInsertsOf(group),
        breaker: memoryBreaker(),
      })),
    async rebuild() {
      const { readiness, shipments } = states;
      await readiness.claimRebuild('test', 30_000);
      const apply = createJourneyApplier(shipments, readRecord);
      await kafka.reader.readToEnd([topics.journey.name], async (records) => {
        await apply(records);
      });
      await readiness.markReady('test');
    },
    inLog: async (kind) => Number((await kafka.admin.ranges([topics[kind].name]))
      .reduce((sum, { start, end }) => sum + end - start, 0n)),
    async close() {
      await edge.edge.close();
      await Promise.all([history.close(), tables.drop(), states.close()]);
      await kafka.close(wallClock.nowMs());
    },
  };
}

async function run(
  kafka: KafkaLog, group: string, topics: readonly string[], handler: LogHandler,
): Promise<RunningWorker> {
  const crash = Promise.withResolvers<unknown>();
  const consumer = kafka.consumer({ group, topics, lingerMs: 50 }, crash.resolve);
  let handled = 0;
  await consumer.start({
    ...handler,
    async onRecords(records) {
      const offsets = await handler.onRecords(records);
      handled += records.length;
      return offsets;
    },
  });
  return { crash: crash.promise, handled: () => handled, stop: () => consumer.stop() };
}

/** A consumer group of a name that no other test has. */
export function freshGroup(): string {
  return `test_${randomUUID()}`;
}
