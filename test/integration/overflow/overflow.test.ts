import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createIngestAudit } from '../../../services/adapters/clickhouse/ingest-audit.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { originalRecordId } from '../../../services/kernel/record-id.ts';
import { overflowCommand } from '../../../services/cli/overflow/command.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { DIVERSION_LIMITS, FLOOD_LIMITS } from '../../../services/workers/table-writer/overflow/config.ts';
import { divertFloods } from '../../../services/workers/table-writer/overflow/divert-floods.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { enterRecords } from '../../../services/workers/table-writer/ledger.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnTopics, type OwnWorker } from '../../support/own-topics.ts';
import { createHistory, type History } from '../clickhouse/history.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';

const { origin, overflow } = DIVERSION_LIMITS;
const WAIT = { timeout: 30_000, interval: 100 };
const GROUPS = { writer: `test_${randomUUID()}`, overflow: `test_${randomUUID()}` };
const BEGAN_MS = Date.now();

let topics: OwnTopics;
let tables: History;
let states: OpenedRedis;
/** Offsets of the hot device in the order in which they were applied, by whom. */
const applied: { readonly offset: number; readonly by: 'writer' | 'overflow' }[] = [];
const running = new Set<OwnWorker>();

beforeAll(async () => {
  topics = await openOwnTopics([
    origin, overflow, TOPICS.overflow.name, TOPICS.deadLetters.name,
  ], 1);
  [tables, states] = await Promise.all([createHistory(), openRedisStates()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([...running].map((worker) => worker.stop()));
  await Promise.all([tables.drop(), states.close()]);
  await topics.close();
});

let posts = 0;
async function post(device: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => {
    const timestamp = Math.floor(BEGAN_MS / 1_000) - (posts += 1);
    const place = { timestamp, country_id: 'BR', latitude: -23, longitude: -46 };
    return topics.log.append({
      topic: origin, key: device,
      value: Buffer.from(JSON.stringify({ post_timestamp: timestamp, locations: [place] })),
      headers: {
        'ingest-id': randomUUID(), 'received-at': String(Date.now()), client: 'c1',
        provider: 'acme', n: '1',
      },
    }, Date.now() + 15_000);
  }));
}

function recorded(by: 'writer' | 'overflow', inner: LogHandler): LogHandler {
  return {
    onAssigned: (partitions) => inner.onAssigned(partitions),
    onRevoked: (partitions) => inner.onRevoked(partitions),
    async onRecords(records) {
      const offsets = await inner.onRecords(records);
      for (const record of records) {
        if ('key' in record && record.key === 'hot') {
          applied.push({ offset: Number(originalRecordId(record).offset), by });
        }
      }
      return offsets;
    },
  };
}

function tableWriter(by: 'writer' | 'overflow'): LogHandler {
  const topic = by === 'writer' ? origin : overflow;
  const config = { ...TABLE_WRITER_LIMITS, tables: { [topic]: 'in_locations' } };
  return recorded(by, createTableWriter(config, {
    clock: wallClock, signals: silentSignals, sink: tables.ingest,
    pending: states.pendingInsertsOf(GROUPS[by]),
    erased: nothingErased, breaker: memoryBreaker(), deadLetters: createDeadLetters(
      { worker: 'table-writer', codeVersion: '9', appendMsMax: 10_000 },
      { log: topics.log, clock: wallClock, signals: silentSignals },
    ),
  }));
}

function startOverflow(): Promise<OwnWorker> {
  return started(topics.worker(GROUPS.overflow, [overflow], tableWriter('overflow')));
}

function startWriter(): Promise<OwnWorker> {
  const limits = { pollMs: 0, leaveMsMax: 10_000 };
  const config = { ...DIVERSION_LIMITS, overflowGroup: GROUPS.overflow, ...limits };
  const diversion = divertFloods(config, FLOOD_LIMITS, {
    ...topics, clock: wallClock, signals: silentSignals, pause: systemPause,
    enter: (records) => enterRecords(
      TABLE_WRITER_LIMITS, tables.ingest,
      [{ topic: origin, table: 'in_locations', ranges: [], records }], randomUUID(),
    ),
  }, tableWriter('writer'));
  return started(topics.worker(GROUPS.writer, [origin], diversion));
}

async function started(starting: Promise<OwnWorker>): Promise<OwnWorker> {
  const worker = await starting;
  running.add(worker);
  return worker;
}

async function stop(worker: OwnWorker): Promise<void> {
  running.delete(worker);
  await worker.stop();
}

const runOverflow = (...args: string[]) => overflowCommand({
  log: topics.log, reader: topics.reader, clock: wallClock,
  watch: { ...topics.watch, groups: () => Promise.resolve([]), members: () => Promise.resolve([]) },
}, args);
const rows = async (device: string) => Number((await tables.admin.query(
  `SELECT count() AS n FROM locations FINAL WHERE device_id = '${device}'`,
))[0]?.['n']);
const overflowEnd = async () => Number((await topics.watch.ranges([overflow]))[0]?.end);

it('A hot device goes into the overflow topic and out of it, in order, once, beside neighbours that do not wait', async () => {
  let writer = await startWriter();
  await post('hot', 20);
  await expect.poll(() => rows('hot'), WAIT).toBe(20);

  // In: no worker applies the overflow topic yet, and the neighbour is in the tables all the same.
  expect((await runOverflow('add', 'hot')).exitCode).toBe(0);
  await Promise.all([post('hot', 30), post('calm', 10)]);
  await expect.poll(() => rows('calm'), WAIT).toBe(10);
  await expect.poll(overflowEnd, WAIT).toBe(30);
  expect(await rows('hot')).toBe(20);
  expect((await runOverflow('ls')).value).toMatchObject({ devices: [{ device_id: 'hot' }] });

  // A new owner of the partition goes on where the one before was.
  await stop(writer);
  await post('hot', 10);
  writer = await startWriter();
  await expect.poll(overflowEnd, WAIT).toBe(40);
  const ofOverflow = await startOverflow();
  await expect.poll(() => rows('hot'), WAIT).toBe(60);

  // Out: what comes now waits for the overflow topic, then goes to the table writer directly.
  expect((await runOverflow('rm', 'hot')).exitCode).toBe(0);
  await Promise.all([post('hot', 20), post('calm', 5)]);
  await expect.poll(() => rows('hot'), WAIT).toBe(80);
  await expect.poll(() => rows('calm'), WAIT).toBe(15);
  expect(await overflowEnd()).toBe(40);
  await Promise.all([stop(writer), stop(ofOverflow)]);

  expect(applied.filter(({ by }) => by === 'overflow')).toHaveLength(40);
  const offsets = applied.map(({ offset }) => offset);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(offsets).toHaveLength(80);
  const stored = await tables.admin.query('SELECT count() AS n FROM locations');
  expect(Number(stored[0]?.['n'])).toBe(95);
  expect(await createIngestAudit(tables.ingest).unexplained(BEGAN_MS - 60_000, Date.now() + 60_000))
    .toEqual({ items: 0, unreadRecords: 0 });
}, 120_000);
