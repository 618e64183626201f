import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, readMigrations } from '../../../services/adapters/clickhouse/migrations.ts';
import { createNewestBackup, createTableBackups } from '../../../services/adapters/clickhouse/table-backups.ts';
import { createTableUpkeep } from '../../../services/adapters/clickhouse/table-upkeep.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { BackupOffset, TableBackup } from '../../../services/kernel/table-backups.ts';
import { tailAfter, tailReader } from '../../../services/workers/backup/log-offsets.ts';
import { makeBackup } from '../../../services/workers/backup/make-backup.ts';
import { restoreBackup, type TailWritten } from '../../../services/workers/backup/restore-backup.ts';
import { verifyTables } from '../../../services/workers/backup/verify-backup.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { writeLog } from '../../../services/workers/table-writer/write-log.ts';
import { MIGRATIONS_FOLDER } from '../../../infra/clickhouse/migrate-database.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { startOwnTables, type OwnTables } from '../../support/own-tables.ts';
import { aClient, aRegistration } from '../../support/state-facts.ts';
import { instructionsIn } from '../../rehearse/runbooks/instructions.ts';
import { post, record, writePosts } from './history.ts';

const NOW_MS = Date.now();
const TOPICS = ['rtt.locations.v1', 'rtt.device-lifecycle.v1'];
const clock = { nowMs: () => Date.now() };
const ids = (topics: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  Promise.resolve(new Map(topics.map((topic) => [topic, topic])));

function fixes(device: string, offset: number): LogRecord {
  const receivedAtMs = NOW_MS + offset;
  const at = Math.floor(receivedAtMs / 1_000) - 3 * offset;
  return {
    ...post([0, 1, 2].map((second) => ({
      timestamp: at + second, country_id: 'BR', latitude: 1 + second / 100, longitude: 2,
      telemetry: { timestamp: at + second, speed: 50 + second },
    })), { device, receivedAtMs, offset }),
    topicId: 'rtt.locations.v1', partition: 0,
  };
}

const aDevice = (offset: number): LogRecord => {
  const registration = aRegistration(aClient());
  return {
    ...record('rtt.device-lifecycle.v1', registration.device_id, registration, { offset }),
    partition: 0,
  };
};

function offsetsAt(locations: number, devices: number): readonly BackupOffset[] {
  return [locations, devices].map((next, at) => (
    { topic: TOPICS[at] ?? '', topicId: TOPICS[at] ?? '', partition: 0, next: BigInt(next) }
  ));
}

describe.each(['folder', 'bucket'] as const)('A backup of the tables in a %s', (kind) => {
  const records = [
    ...Array.from({ length: 12 }, (_, at) => fixes(`dev-${at % 3}`, at)), aDevice(0), aDevice(1),
  ];
  const log = fakeWatchedLog(records);
  let own: OwnTables;
  beforeAll(async () => { own = await startOwnTables(kind); }, 240_000);
  afterAll(() => own.close());

  const backups = () => createTableBackups({ database: own.database, disk: 'backups' }, own);
  /** As the user of the nightly job, who may do no more. */
  const asNightly = () => createTableBackups(
    { database: own.database, disk: 'backups' },
    { store: own.as('backup'), server: own.as('backup', 'default') },
  );
  const upkeep = () => createTableUpkeep(own.store, own.database);
  const part = (from: number, to: number) => records.filter(({ offset, topic }) => (
    topic === TOPICS[0] && offset >= BigInt(from) && offset < BigInt(to)
  ));
  const make = (at: readonly BackupOffset[], isFull = false) => makeBackup(
    { chainMax: 3 }, { backups: asNightly(), offsets: () => Promise.resolve(at), clock }, isFull,
  );
  const writeTail = async (
    backup: TableBackup, sink = own.store, without = -1n,
  ): Promise<TailWritten> => {
    const { ranges, gone } = await tailAfter(
      backup.offsets, TOPICS, { watch: { ...log.watch }, topicIds: ids },
    );
    const kept = ranges.filter(({ start }) => start !== without);
    const written = await writeLog(TABLE_WRITER_LIMITS, {
      reader: tailReader(kept, TOPICS, log), name: `restore-${Math.random()}`, sink,
      digest: sha256, signals: silentSignals, clock,
    });
    return { ...written, gone };
  };
  const restore = (replaces: boolean, name?: string) => restoreBackup(name, replaces, {
    backups: backups(), clock, report: () => undefined, writeTail: (backup) => writeTail(backup),
    migrate: async () => { await migrate(own.store, await readMigrations(MIGRATIONS_FOLDER)); },
  });

  it('comes back after its disk was lost, with what the log has after it, once', async () => {
    const ingest = own.as('ingest');
    const devices = records.filter(({ topic }) => topic === TOPICS[1]);
    await writePosts(ingest, [...part(0, 4), ...devices]);
    const first = await make(offsetsAt(4, 2));
    expect(first.backup.base).toBeUndefined();
    // What writers insert between the offsets and the copy is in both: in the backup and after it.
    await writePosts(ingest, part(4, 8));
    const second = await make(offsetsAt(5, 2));
    expect(second.backup.base).toBe(first.backup.name);
    await writePosts(ingest, part(8, 12));
    const before = await upkeep().partitions();

    await own.loseDisk();
    expect(await backups().hasRows()).toBe(false);
    const restored = await restore(false);

    expect(restored).toMatchObject({
      kind: 'restored', backup: second.backup, tail: { records: 7, refused: 0, gone: [] },
    });
    expect(await upkeep().partitions()).toEqual(before);
    expect(await own.as('analyst').query('SELECT count() AS n, uniqExact(ts) AS times FROM v_locations'))
      .toEqual([{ n: '36', times: '36' }]);
    expect((await backups().finished()).map(({ name }) => name))
      .toEqual([second.backup.name, first.backup.name]);
  }, 120_000);

  // Where the bytes go makes no difference to what follows.
  if (kind === 'bucket') return;

  it('does not take the place of rows unless that is asked for', async () => {
    expect(await restore(false)).toEqual({ kind: 'has_rows' });
    const before = await upkeep().partitions();
    expect(await restore(true)).toMatchObject({ kind: 'restored' });
    expect(await upkeep().partitions()).toEqual(before);
  }, 60_000);

  it('is verified beside the tables, and rows that would be lost are named', async () => {
    const { backup } = await make(offsetsAt(12, 2));
    const shadow = `${own.database}_shadow`;
    const verify = async (offsets: readonly BackupOffset[], without?: bigint) => {
      await backups().restoreAside(backup.name, shadow);
      return verifyTables({
        live: upkeep(), liveDatabase: own.database, restored: createTableUpkeep(own.server, shadow),
        pause: () => Promise.resolve(),
        writeTail: async () => {
          if (without !== undefined) {
            await own.server.execute(
              `ALTER TABLE ${shadow}.locations DELETE WHERE bitNot(k_rank) = ${without} `
              + 'SETTINGS mutations_sync = 2',
            );
          }
          expect((await writeTail({ ...backup, offsets })).records).toBe(0);
        },
      });
    };
    const verdicts = await verify(backup.offsets);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['equal']));
    const wrong = (await verify(backup.offsets, 3n)).filter(({ verdict }) => verdict !== 'equal');
    expect(wrong).toEqual([expect.objectContaining({ table: 'locations', verdict: 'lacks', lacking: 3 })]);
  }, 120_000);

  it('is made by a user who may neither read nor restore the tables', async () => {
    const nightly = own.as('backup');
    const [known] = await backups().finished();
    for (const statement of [
      'SELECT count() FROM locations', 'SELECT count() FROM v_locations', 'DROP TABLE locations',
      `RESTORE TABLE ${own.database}.locations AS other FROM Disk('backups', '${known?.name ?? ''}')`,
    ]) await expect(nightly.query(statement)).rejects.toThrow(/ACCESS_DENIED|code 497/);
    const newest = createNewestBackup(own.as('ingest'));
    expect(await newest.sinceMs()).toBeGreaterThan(NOW_MS);
  }, 60_000);

  it('needs no other when the chain is long, its base is gone, or that is asked for', async () => {
    const known = await backups().finished();
    expect(known.map(({ base }) => base === undefined)).toEqual([false, false, true]);
    expect((await make(offsetsAt(12, 2))).backup.base).toBeUndefined();
    expect((await make(offsetsAt(12, 2), true)).backup.base).toBeUndefined();
    expect((await make(offsetsAt(12, 2))).backup.base).toBeDefined();
  }, 60_000);

  it('is shown by the query of the runbook, and no restore is', async () => {
    const runbook = instructionsIn(join('docs', 'runbooks'), /^backup-old\.md$/);
    const asked = runbook.find(({ kind }) => kind === 'question')?.text ?? '';
    expect(await backups().find('2026-01-01.1')).toBeUndefined();
    const [{ probes } = {}] = await own.server.query(
      "SELECT countIf(status = 'RESTORE_FAILED') AS probes FROM system.backups",
    );
    expect(Number(probes)).toBeGreaterThan(0);
    const shown = await own.server.query(asked);
    expect(shown.map(({ name, status }) => [name, status])).toEqual(
      (await backups().finished()).slice(0, shown.length)
        .map(({ name }) => [`Disk('backups', '${name}')`, 'BACKUP_CREATED']),
    );
    expect(shown.length).toBeGreaterThan(2);
  }, 60_000);
});
