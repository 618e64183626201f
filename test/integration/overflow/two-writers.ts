import { randomUUID } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createIngestAudit } from '../../../services/adapters/clickhouse/ingest-audit.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import { overflowCommand } from '../../../services/cli/overflow/command.ts';
import { originalRecordId } from '../../../services/kernel/record-id.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { enterRecords } from '../../../services/workers/table-writer/ledger.ts';
import {
  DIVERSION_LIMITS, FLOOD_LIMITS, type FloodConfig,
} from '../../../services/workers/table-writer/overflow/config.ts';
import { divertFloods } from '../../../services/workers/table-writer/overflow/divert-floods.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnWorker } from '../../support/own-topics.ts';
import { createHistory } from '../clickhouse/history.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import { overflowFold } from '../../../services/kernel/read-overflow.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';
import { aClient, aRegistration } from '../../support/state-facts.ts';

const { origin, overflow } = DIVERSION_LIMITS;

/** One record as it was applied, by its offset in the origin. */
export interface AppliedInTables {
  readonly device: string;
  readonly offset: number;
  readonly by: 'writer' | 'overflow';
  /** Time from its append to the tables. */
  readonly waitedMs: number;
}

/** What a test changes of the two writers. */
export interface WriterChange {
  readonly floods?: Partial<FloodConfig>;
  /** How long the writer of the origin takes for one record. */
  readonly recordMs?: number;
}

/**
 * The writer of locations and that of the overflow topic, on real topics of one partition and real
 * tables of their own; every record that one of them applies is in `applied`, in that order.
 */
export async function openTwoWriters({ floods = {}, recordMs = 0 }: WriterChange = {}) {
  const topics = await openOwnTopics([
    origin, overflow, TOPICS.overflow.name, TOPICS.deadLetters.name, TOPICS.deviceLifecycle.name,
  ], 1);
  const [tables, states] = await Promise.all([createHistory(), openRedisStates()]);
  const groups = { writer: `test_${randomUUID()}`, overflow: `test_${randomUUID()}` };
  const applied: AppliedInTables[] = [];
  const running = new Set<OwnWorker>();
  const beganMs = Date.now();
  let posts = 0;

  function recorded(by: AppliedInTables['by'], inner: LogHandler): LogHandler {
    return {
      onAssigned: (partitions) => inner.onAssigned(partitions),
      onRevoked: (partitions) => inner.onRevoked(partitions),
      async onRecords(records) {
        if (by === 'writer' && recordMs > 0) await systemPause(records.length * recordMs);
        const offsets = await inner.onRecords(records);
        for (const record of records) {
          if (!('key' in record)) continue;
          applied.push({
            device: record.key, offset: Number(originalRecordId(record).offset), by,
            waitedMs: Date.now() - Number(record.headers['received-at']),
          });
        }
        return offsets;
      },
    };
  }

  function tableWriter(by: AppliedInTables['by']): LogHandler {
    const topic = by === 'writer' ? origin : overflow;
    return recorded(by, createTableWriter(
      { ...TABLE_WRITER_LIMITS, tables: { [topic]: 'in_locations' } }, {
        clock: wallClock, signals: silentSignals, sink: tables.ingest,
        pending: states.pendingInsertsOf(groups[by]),
        erased: nothingErased, breaker: memoryBreaker(), deadLetters: createDeadLetters(
          { worker: 'table-writer', codeVersion: '9', appendMsMax: 10_000 },
          { log: topics.log, clock: wallClock, signals: silentSignals },
        ),
      },
    ));
  }

  async function started(starting: Promise<OwnWorker>): Promise<OwnWorker> {
    const worker = await starting;
    running.add(worker);
    return worker;
  }

  return {
    topics, applied,
    startOverflow: () => started(topics.worker(groups.overflow, [overflow], tableWriter('overflow'))),
    startWriter() {
      const config = {
        ...DIVERSION_LIMITS, overflowGroup: groups.overflow, pollMs: 0, leaveMsMax: 10_000,
      };
      return started(topics.worker(groups.writer, [origin], divertFloods(
        config, { ...FLOOD_LIMITS, ...floods }, {
          ...topics, clock: wallClock, signals: silentSignals, pause: systemPause,
          readDecisions: createTopicFold(
            { name: 'overflow', topics: [TOPICS.overflow.name], form: 1, recordsMin: 1, bytesMax: 0 },
            overflowFold, { ...topics, signals: silentSignals, folds: memoryFolds() },
          ),
          enter: (records) => enterRecords(
            TABLE_WRITER_LIMITS, tables.ingest,
            [{ topic: origin, table: 'in_locations', ranges: [], records }], randomUUID(),
          ),
        }, tableWriter('writer'),
      )));
    },
    async stop(worker: OwnWorker): Promise<void> {
      running.delete(worker);
      await worker.stop();
    },
    /** Posts of one fix each, every fix with a time of its own. */
    async post(device: string, count: number, provider = 'acme'): Promise<void> {
      await Promise.all(Array.from({ length: count }, () => {
        const timestamp = Math.floor(beganMs / 1_000) - (posts += 1);
        const fix = { timestamp, country_id: 'BR', latitude: -23, longitude: -46 };
        return topics.log.append({
          topic: origin, key: device,
          value: Buffer.from(JSON.stringify({ post_timestamp: timestamp, locations: [fix] })),
          headers: {
            'ingest-id': randomUUID(), 'received-at': String(Date.now()), 'client': 'c1',
            provider, 'n': '1',
          },
        }, Date.now() + 15_000);
      }));
    },
    posted: () => posts,
    runOverflow: (...args: string[]) => overflowCommand({
      log: topics.log, reader: topics.reader, clock: wallClock,
      watch: topics.watch,
      // The devices of these runs have no registration in the log.
      rangeReader: {
        partitionOf: () => 0,
        readRanges: (_ranges, use) => use([aLogRecord(
          TOPICS.deviceLifecycle.name, 0, aRegistration(aClient(), { device_id: args[1] ?? '' }),
          { key: args[1] ?? '' },
        )]),
      },
    }, args),
    /** Rows of the tables, with every copy that there may be. */
    async rows(where = '1'): Promise<number> {
      const [row] = await tables.admin.query(
        `SELECT count() AS n FROM locations WHERE ${where}`,
      );
      return Number(row?.['n']);
    },
    /** Offsets in the origin of what was applied of a device, in that order. */
    offsetsOf: (device: string) => applied.filter((each) => each.device === device)
      .map(({ offset }) => offset),
    unexplained: () => createIngestAudit(tables.ingest)
      .unexplained(beganMs - 60_000, Date.now() + 60_000),
    overflowEnd: async () => Number((await topics.watch.ranges([overflow]))[0]?.end),
    async close(): Promise<void> {
      await Promise.all([...running].map((worker) => worker.stop()));
      await Promise.all([tables.drop(), states.close()]);
      await topics.close();
    },
  };
}

/** The two writers of one test. */
export type TwoWriters = Awaited<ReturnType<typeof openTwoWriters>>;
