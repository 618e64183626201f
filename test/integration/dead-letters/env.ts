import { randomUUID } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import type { RowSink } from '../../../services/kernel/row-sink.ts';
import { dlqCommand } from '../../../services/cli/dead-letters/command.ts';
import { createOpenDeadLetterLog } from '../../../services/operator/dead-letters/open-log.ts';
import type { DeadLetterPorts } from '../../../services/cli/dead-letters/ports.ts';
import { createDeadLetters, type DeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import { FOLD_LIMITS } from '../../../services/kernel/fold.ts';
import { parkingFold, PARKING_TOPICS } from '../../../services/workers/common/parked-keys.ts';
import { createKeyOrder, KEY_ORDER_LIMITS } from '../../../services/workers/common/key-order.ts';
import type { ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import type { ReadRecord } from '../../../services/workers/common/read-record.ts';
import { createJourneyWorker } from '../../../services/workers/journey/pipeline.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { SAMPLE_CODES } from '../../support/journeys.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnTopics, type OwnWorker } from '../../support/own-topics.ts';
import { readRecord as readOwnRecord } from '../../support/read-record.ts';
import { createHistory, type History } from '../clickhouse/history.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';

/** What the tests of dead letters use: real topics, tables and a state store of their own. */
export interface DeadLetterEnv {
  readonly topics: OwnTopics;
  readonly tables: History;
  readonly states: OpenedRedis;
  /** Texts in a line by which the tables of the release before the repair refuse it. */
  readonly refusedTexts: Set<string>;
  writer(group: string): Promise<OwnWorker>;
  /** A projector that cannot read what `isBeyond` says: the release before the repair. */
  projector(group: string, isBeyond?: (record: ConsumedRecord) => boolean): Promise<OwnWorker>;
  /** The command line; `over` takes the place of its ports. */
  dlq(args: readonly string[], over?: Partial<DeadLetterPorts>): ReturnType<typeof dlqCommand>;
  readonly ports: DeadLetterPorts;
  close(): Promise<void>;
}

const LIMITS = { codeVersion: '9', appendMsMax: 10_000 };

/** What makes workers those of another release. */
export interface OtherRelease {
  /** What is put before each worker. */
  readonly behind?: (worker: LogHandler) => LogHandler;
  readonly readRecord?: ReadRecord;
}

/** Opens everything; workers are started by the test. */
export async function openDeadLetterEnv(
  { behind = (worker) => worker, readRecord = readOwnRecord }: OtherRelease = {},
): Promise<DeadLetterEnv> {
  const topics = await openOwnTopics([
    TOPICS.locations.name, TOPICS.notifications.name, TOPICS.journey.name,
    TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name, TOPICS.erasedTracks.name,
    TOPICS.erasedDrivers.name, TOPICS.audit.name,
  ]);
  const states = await openRedisStates();
  const tables = await createHistory();
  const parts = { log: topics.log, clock: wallClock, signals: silentSignals };
  const deadLettersOf = (worker: string): DeadLetters =>
    createDeadLetters({ ...LIMITS, worker }, parts);
  const ports: DeadLetterPorts = {
    ...parts, ...topics, pause: systemPause, digest: sha256, codeVersion: '9',
    open: createOpenDeadLetterLog({ ...parts, ...topics, folds: states.folds, digest: sha256 }),
  };
  const refusedTexts = new Set<string>();
  const sink: RowSink = {
    async insert(table, lines, token) {
      const line = lines.findIndex((each) => (
        [...refusedTexts].some((text) => Buffer.from(each).includes(text))
      ));
      return line < 0 || table !== 'in_locations'
        ? tables.ingest.insert(table, lines, token)
        : { kind: 'rejected', line, detail: 'ClickHouse 27 CANNOT_PARSE_INPUT' };
    },
  };
  return {
    topics, tables, states, ports, refusedTexts,
    writer: (group) => topics.worker(group, [
      TOPICS.locations.name, TOPICS.notifications.name, TOPICS.journey.name,
      TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name, TOPICS.erasedTracks.name,
    TOPICS.erasedDrivers.name,
    ], behind(createTableWriter(TABLE_WRITER_LIMITS, {
      ...parts, sink, pending: states.pendingInsertsOf(group),
      erased: nothingErased, breaker: memoryBreaker(),
      deadLetters: deadLettersOf('table-writer'),
    }))),
    projector: (group, isBeyond = () => false) => {
      const worker = 'journey';
      const order = createKeyOrder(
        { ...KEY_ORDER_LIMITS, ...LIMITS, worker, topic: TOPICS.notifications.name },
        {
          ...parts,
          parking: createTopicFold(
            { ...FOLD_LIMITS, name: group, topics: PARKING_TOPICS, form: 1, recordsMin: 1 },
            parkingFold({ worker, topic: TOPICS.notifications.name }, wallClock.nowMs),
            { ...topics, folds: states.folds, signals: silentSignals },
          ),
        },
      );
      return topics.worker(group, [TOPICS.notifications.name], behind(createJourneyWorker(
        { ...POISON_FLOOD_LIMITS, appendMsMax: 10_000 },
        {
          readRecord,
          ...parts, codes: SAMPLE_CODES, shipments: states.shipments,
          digest: sha256, deadLetters: deadLettersOf(worker),
          order: {
            ...order,
            inOrder: (refuse, apply) => order.inOrder((record) => (isBeyond(record)
              ? { stage: 'consume', code: 'record_invalid', detail: 'a later form' }
              : refuse(record)), apply),
          },
        },
      )));
    },
    dlq: (args, over = {}) => dlqCommand({ ...ports, ...over }, args),
    async close() {
      await Promise.all([tables.drop(), states.close()]);
      await topics.close();
    },
  };
}

/** A consumer group of a name that no other test has. */
export function freshGroup(): string {
  return `test_${randomUUID()}`;
}
