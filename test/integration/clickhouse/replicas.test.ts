import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { trackEraserOfEach } from '../../../services/adapters/clickhouse/each-replica.ts';
import type { TableReads } from '../../../services/adapters/clickhouse/read-replicas.ts';
import { createTableBackups } from '../../../services/adapters/clickhouse/table-backups.ts';
import { createTableUpkeep } from '../../../services/adapters/clickhouse/table-upkeep.ts';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import { openTableReads } from '../../../services/gateways/assemble-tables.ts';
import type { TrackingNumber } from '../../../services/kernel/ids.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import type { RecordedNotification } from '../../../services/kernel/shipment-history.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { compareReplicas } from '../../../services/workers/backup/compare-replicas.ts';
import { tailAfter, tailReader, writtenOffsets } from '../../../services/workers/backup/log-offsets.ts';
import { makeBackup } from '../../../services/workers/backup/make-backup.ts';
import { restoreBackup } from '../../../services/workers/backup/restore-backup.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { noDeadLetters } from '../../../services/workers/table-writer/further-replica.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { enterRecords } from '../../../services/workers/table-writer/ledger.ts';
import { DIVERSION_LIMITS, FLOOD_LIMITS } from '../../../services/workers/table-writer/overflow/config.ts';
import { divertFloods } from '../../../services/workers/table-writer/overflow/divert-floods.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { createSkipErased, readErasures } from '../../../services/workers/table-writer/skip-erased.ts';
import { writeLog } from '../../../services/workers/table-writer/write-log.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { aNotification } from '../../support/notifications.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnTopics, type OwnWorker } from '../../support/own-topics.ts';
import { startOwnTables, type OwnTables } from '../../support/own-tables.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';
import { journeyEvent, ofCarrier } from '../../support/shipment-history.suite.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';
import { readOverflow } from '../../../services/kernel/read-overflow.ts';

const { overflow } = DIVERSION_LIMITS;
const origin = TOPICS.locations.name;
const READ = [origin, TOPICS.deadLetters.name];
const WRITTEN = { [origin]: 'in_locations', [TOPICS.deadLetters.name]: 'in_dead_letters' };
const WAIT = { timeout: 60_000, interval: 250 };
const BEGAN = Math.floor(Date.now() / 1_000);
const shared = { clock: wallClock, signals: silentSignals };
const ids = (names: readonly string[]) => (
  Promise.resolve(new Map(names.map((each) => [each, each])))
);

let folder: string;
let topics: OwnTopics;
let states: OpenedRedis;
let first: OwnTables;
let second: OwnTables;
const workers: OwnWorker[] = [];
const name = randomUUID();
const groupsOf = (replica: string) => [
  { group: `test_${name}${replica}`, topics: READ },
  { group: `test_${name}.overflow${replica}`, topics: [overflow] },
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-shared-backups-'));
  topics = await openOwnTopics([
    ...READ, overflow, TOPICS.overflow.name, TOPICS.erasedTracks.name, TOPICS.erasedDrivers.name,
  ], 2);
  states = await openRedisStates();
  const disk = { kind: 'folder', path: folder } as const;
  [first, second] = [await startOwnTables(disk), await startOwnTables(disk)];
  await startWriters(first, '');
  await startWriters(second, '@b');
}, 240_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([first.close(), second.close(), states.close()]);
  await topics.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As the workers put them together: only the first one's writers write to the log. */
async function startWriters(tables: OwnTables, replica: string): Promise<void> {
  const [own, ofOverflow] = groupsOf(replica).map(({ group }) => group) as [string, string];
  const sink = tables.as('ingest');
  const writes = replica === '' ? createDeadLetters(
    { worker: 'table-writer', codeVersion: '9', appendMsMax: 10_000 }, { ...shared, log: topics.log },
  ) : noDeadLetters;
  const writer = (group: string, of: Readonly<Record<string, string>>): LogHandler => (
    createTableWriter({ ...TABLE_WRITER_LIMITS, tables: of, rejectedMin: 1_000 }, {
      ...shared, sink, deadLetters: writes, pending: states.pendingInsertsOf(group),
      breaker: memoryBreaker(),
      erased: createSkipErased({
        clock: wallClock, digest: sha256, read: () => readErasures(topics.reader),
      }),
    })
  );
  const direct = writer(own, WRITTEN);
  const handler = replica === '' ? diverted(direct, sink, ofOverflow) : direct;
  workers.push(
    await topics.worker(own, READ, handler),
    await topics.worker(ofOverflow, [overflow], writer(ofOverflow, { [overflow]: 'in_locations' })),
  );
}

function diverted(
  inner: LogHandler, sink: ReturnType<OwnTables['as']>, overflowGroup: string,
): LogHandler {
  const config = { ...DIVERSION_LIMITS, overflowGroup, pollMs: 0 };
  return divertFloods(config, FLOOD_LIMITS, {
    ...shared, ...topics, pause: systemPause,
    readDecisions: () => readOverflow(topics.reader, TOPICS.overflow.name),
    enter: (records) => enterRecords(
      TABLE_WRITER_LIMITS, sink,
      [{ topic: origin, table: 'in_locations', ranges: [], records }], randomUUID(),
    ),
  }, inner);
}

let posts = 0;
async function post(device: string, count: number, timestamp?: string): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => {
    const at = BEGAN - (posts += 1);
    const fix = {
      timestamp: timestamp ?? at, country_id: 'BR', latitude: -23, longitude: -46,
      telemetry: { timestamp: at, speed: 50 },
    };
    return append(origin, device, { post_timestamp: at, locations: [fix] });
  }));
}

async function append(topic: string, key: string, fact: object): Promise<void> {
  await topics.log.append({
    topic, key, value: Buffer.from(JSON.stringify(fact)),
    headers: {
      'ingest-id': randomUUID(), 'received-at': String(Date.now()), client: '100000000000001',
      provider: 'acme', country: 'BR', n: '1',
    },
  }, Date.now() + 15_000);
}

const upkeepOf = (tables: OwnTables) => createTableUpkeep(tables.store, tables.database);
const rowsIn = async (tables: OwnTables, device: string) => Number((await tables.store.query(
  'SELECT count() AS n FROM locations FINAL WHERE device_id = {device:String}', { device },
))[0]?.['n']);
const lagOf = async (replica: string) => {
  let records = 0;
  for (const { group } of groupsOf(replica)) {
    const offsets = await topics.watch.offsets(group);
    const ranges = await topics.watch.ranges(group.includes('overflow') ? [overflow] : READ);
    for (const { topic, partition, start, end } of ranges) {
      const own = offsets.find((each) => each.topic === topic && each.partition === partition);
      records += Number(end - (own?.next ?? start));
    }
  }
  return records;
};
/** Waits until both have written the log, and compares; answers what is not equal. */
async function unequal() {
  await expect.poll(() => lagOf(''), WAIT).toBe(0);
  await expect.poll(() => lagOf('@b'), WAIT).toBe(0);
  const compared = await compareReplicas({
    first: upkeepOf(first), replica: upkeepOf(second), pause: systemPause,
  });
  expect(compared.length).toBeGreaterThan(4);
  return compared.filter(({ verdict }) => verdict !== 'equal');
}

describe('[GEN-65] Two replicas that each follow the log', () => {
  it('hold the same, also what was refused or overflowed, and only one writes to the log', async () => {
    await append(TOPICS.overflow.name, 'hot', {
      type: 'OverflowRecorded', device_id: 'hot', state: 'in', version: 1, at_ms: Date.now(),
    });
    await Promise.all([post('calm', 20), post('gone', 5), post('hot', 10), post('calm', 1, 'never')]);
    expect(await unequal()).toEqual([]);
    for (const tables of [first, second]) {
      expect([await rowsIn(tables, 'calm'), await rowsIn(tables, 'hot')]).toEqual([20, 10]);
    }
    const ends = await topics.watch.ranges([overflow, TOPICS.deadLetters.name]);
    expect(ends.reduce((sum, { end }) => sum + Number(end), 0)).toBe(11);
  }, 120_000);

  it('are equal again after one was away, an erasure among what it missed', async () => {
    const erasers = trackEraserOfEach([first, second].map(({ store }) => createTrackEraser(store)));
    await second.engine.stop();
    await Promise.all([post('calm', 10), post('gone', 5)]);
    await expect.poll(() => rowsIn(first, 'gone'), WAIT).toBe(10);
    const received_until_ms = Date.now();
    await append(TOPICS.erasedTracks.name, 'gone', {
      type: 'TrackErased', device_id: 'gone', client_id: '100000000000001', received_until_ms,
    });
    await expect(erasers.erase('gone', [], received_until_ms)).rejects
      .toMatchObject({ code: 'sink_unavailable' });
    expect(await rowsIn(first, 'gone')).toBe(0);
    expect(await lagOf('@b')).toBeGreaterThan(0);

    await second.engine.start();
    await expect.poll(() => lagOf('@b'), WAIT).toBe(0);
    expect(await rowsIn(second, 'gone')).toBeGreaterThan(0);
    await erasers.erase('gone', [], received_until_ms);
    expect(await unequal()).toEqual([]);
    expect([await rowsIn(second, 'gone'), await rowsIn(second, 'calm')]).toEqual([0, 30]);
  }, 180_000);

  it('are equal again after one lost its disk and began from a backup of the other', async () => {
    const backupsOf = (tables: OwnTables) => (
      createTableBackups({ database: tables.database, disk: 'backups' }, tables)
    );
    await makeBackup({ chainMax: 1 }, {
      backups: backupsOf(first), clock: wallClock,
      offsets: () => writtenOffsets(groupsOf(''), { watch: topics.watch, topicIds: ids }),
    }, false);
    await second.loseDisk();
    await post('calm', 10);
    const restored = await restoreBackup(undefined, false, {
      backups: backupsOf(second), clock: wallClock, report: () => undefined,
      migrate: async () => undefined,
      writeTail: async (backup) => {
        const all = [...READ, overflow];
        const { ranges, gone } = await tailAfter(
          backup.offsets, all, { watch: topics.watch, topicIds: ids },
        );
        const written = await writeLog({ ...TABLE_WRITER_LIMITS, tables: WRITTEN }, {
          ...shared, digest: sha256, name: randomUUID(), sink: second.store,
          reader: tailReader(ranges, all, topics),
        });
        return { ...written, gone };
      },
    });
    expect(restored.kind).toBe('restored');
    await post('calm', 10);
    expect(await unequal()).toEqual([]);
    expect(await rowsIn(second, 'calm')).toBe(50);
  }, 180_000);
});

describe('Gateways that read from two replicas', () => {
  const NUMBER = 'RST-REPLICAS-1' as TrackingNumber;
  const OF = ofCarrier(NUMBER);
  const recordId = { topic_id: 'topic-1', partition: 0, offset: 1 };
  const released: (() => Promise<void>)[] = [];
  let reads: TableReads;
  beforeAll(async () => {
    const config = readConfig('gateways', gatewaysSettings, {
      KAFKA_BROKERS: 'k:9092', SCHEMA_REGISTRY_URL: 'http://r', REDIS_URL: 'redis://s',
      RASTRO_SECRET_PEPPER: 'a-secret-of-sixteen-or-more',
      RASTRO_PERSONAL_KEY: `own:${Buffer.alloc(32).toString('base64')}`,
      CLICKHOUSE_URL: first.url, CLICKHOUSE_REPLICAS: `b=${second.url}`,
      CLICKHOUSE_HISTORY_PASSWORD: 'history',
    });
    reads = openTableReads(config, silentSignals, {
      onRelease: (_name: string, release: () => Promise<void>) => { released.push(release); },
    } as never);
    const notification: RecordedNotification = {
      recordId, text: JSON.stringify(aNotification('0114')), image: undefined,
      received_at_ms: Date.now(),
    };
    for (const tables of [first, second]) {
      const sink = tables.as('ingest');
      await writeLines(sink, 'in_notifications', [notificationRecord(NUMBER, notification)]);
      await writeLines(sink, 'in_journeys', [journeyRecord(journeyEvent(NUMBER, recordId, {}), 1)]);
    }
  });
  afterAll(() => Promise.all(released.map((release) => release())));

  const asked = async () => [
    (await reads.history.notifications(OF, undefined, 10)).entries.length,
    (await reads.history.journey(OF, undefined, 10)).entries.length,
    (await reads.itemOutcomes.find(undefined, randomUUID())).length,
    await reads.platformHistory.lastPlace(NUMBER) !== undefined,
    await reads.platformHistory.deferredAnswer('acme', 'none'),
  ];
  const ANSWERS = [1, 1, 0, expect.any(Boolean), undefined];

  it('[GEN-66] read feed, journey and receipts while one of both is away, whichever', async () => {
    expect(await asked()).toEqual(ANSWERS);
    for (const { engine } of [first, second]) {
      await engine.stop();
      expect(await asked()).toEqual(ANSWERS);
      await engine.start();
    }
    await Promise.all([first.engine.stop(), second.engine.stop()]);
    await expect(asked()).rejects.toMatchObject({ code: 'sink_unavailable' });
    await Promise.all([first.engine.start(), second.engine.start()]);
    expect(await asked()).toEqual(ANSWERS);
  }, 180_000);
});
