import { join } from 'node:path';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { openClickHouse, type ClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { writeCountryCodes } from '../adapters/clickhouse/country-codes.ts';
import { migrate, readMigrations } from '../adapters/clickhouse/migrations.ts';
import { createTableBackups } from '../adapters/clickhouse/table-backups.ts';
import { createTableUpkeep } from '../adapters/clickhouse/table-upkeep.ts';
import { backupSettings } from '../adapters/config/backup.ts';
import { knownCountries } from '../adapters/config/countries.ts';
import { replicasIn } from '../adapters/config/replicas.ts';
import { readConfig } from '../adapters/config/read-config.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { openKafka } from '../adapters/kafka/open.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { Signals } from '../kernel/signals.ts';
import type { TableBackup, TableBackups } from '../kernel/table-backups.ts';
import { kafkaConfigOf, openSchemas } from '../process/open-log.ts';
import { openBackupStorage } from './assemble-backup-storage.ts';
import { clickHouseConfigOf, tableWriterConfigOf } from './assemble-config.ts';
import { findBackup } from './backup/find-backup.ts';
import { compareReplicas } from './backup/compare-replicas.ts';
import {
  tailAfter, tailReader, writtenOffsets, type OffsetPorts, type WritingGroup,
} from './backup/log-offsets.ts';
import { makeBackup, type BackupMade } from './backup/make-backup.ts';
import { pruneBackups, type BackupsPruned } from './backup/prune-backups.ts';
import type { ReplicaCompared } from './backup/report-replicas.ts';
import { restoreBackup, type Restored, type TailWritten } from './backup/restore-backup.ts';
import { verifyTables, type PartitionVerified } from './backup/verify-backup.ts';
import { readerByWriter } from './common/read-by-writer.ts';
import { DIVERSION_LIMITS } from './table-writer/overflow/config.ts';
import { writeLog } from './table-writer/write-log.ts';
import { replicaGroupOf, WORKERS } from './workers.ts';

/** The configuration of a backup, a restore or a check of one. */
export type BackupConfig = ConfigOf<typeof backupSettings>;

/** Reads it; throws one error that names every fault. */
export function readBackupConfig(env: NodeJS.ProcessEnv): BackupConfig {
  return readConfig('backup', backupSettings, env);
}

/** What verifying a backup found. */
export interface BackupVerified {
  readonly backup: TableBackup;
  readonly tail: TailWritten;
  readonly partitions: readonly PartitionVerified[];
}

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'infra', 'clickhouse');
const READ_RECORDS_MAX = 10_000;
const CLIENT_ID = 'rastro-workers';
const ERASED = [TOPICS.erasedTracks.name, TOPICS.erasedDrivers.name];
const WRITERS = WORKERS.filter(({ program }) => program === 'table-writer');
const TOPICS_READ = WRITERS.flatMap(({ reads }) => reads);

/** The groups that fill one replica of the tables. */
function groupsOf(replica: string | undefined): readonly WritingGroup[] {
  return WRITERS.map(({ id, reads }) => ({ group: replicaGroupOf(id, replica), topics: reads }));
}

/** Writes a backup of the tables; then deletes all but so many chains, where that is asked for. */
export function runBackup(
  config: BackupConfig, signals: Signals, isFull: boolean, keep: number | undefined,
): Promise<{ readonly made: BackupMade; readonly pruned: BackupsPruned | undefined }> {
  const storage = keep === undefined ? undefined : openBackupStorage(config);
  return within(config, signals, async ({ backups, offsetPorts }) => {
    const made = await makeBackup(
      { chainMax: config.RASTRO_BACKUP_CHAIN_MAX },
      {
        backups, clock: systemClock,
        offsets: () => writtenOffsets(groupsOf(config.RASTRO_CLICKHOUSE_REPLICA), offsetPorts),
      },
      isFull,
    );
    if (keep === undefined || storage === undefined) return { made, pruned: undefined };
    return { made, pruned: await pruneBackups(keep, { backups, storage }) };
  });
}

/** Brings the tables back from a backup and the log after it. */
export function runRestore(
  config: BackupConfig, signals: Signals, report: (line: string) => void,
  name: string | undefined, replaces: boolean,
): Promise<Restored> {
  return within(config, signals, ({ backups, store, writeTail }) => restoreBackup(name, replaces, {
    backups, clock: systemClock, report,
    migrate: async () => {
      await migrate(store, await readMigrations(MIGRATIONS));
      await writeCountryCodes(store, knownCountries(config.RASTRO_COUNTRIES));
    },
    writeTail: (backup) => writeTail(backup, store),
  }));
}

/** Restores a backup beside the tables, follows the log and compares the two. */
export function runVerify(
  config: BackupConfig, signals: Signals, report: (line: string) => void, name: string | undefined,
): Promise<BackupVerified> {
  const { CLICKHOUSE_DATABASE: liveDatabase } = config;
  const database = config.RASTRO_SHADOW_DATABASE ?? `${liveDatabase}_shadow`;
  return within(config, signals, async ({ backups, store, server, writeTail }) => {
    const backup = await findBackup(name, backups, systemClock);
    const shadow = adminOf(config, database, signals);
    try {
      report(`Restoring the tables of ${backup.name} beside the running ones …`);
      await backups.restoreAside(backup.name, database);
      await migrate(shadow, await readMigrations(MIGRATIONS));
      let tail: TailWritten = { records: 0, refused: 0, gone: [] };
      const partitions = await verifyTables({
        live: createTableUpkeep(store, liveDatabase), liveDatabase,
        restored: createTableUpkeep(shadow, database), pause: systemPause,
        writeTail: async () => {
          report('Writing what follows it in the log, and comparing …');
          tail = await writeTail(backup, shadow);
        },
      });
      return { backup, tail, partitions };
    } finally {
      report('');
      await server.execute(`DROP DATABASE IF EXISTS ${database} SYNC`).catch(() => undefined);
      await shadow.close();
    }
  });
}

/** Compares each further replica with the first one: what they hold, and how late they are. */
export function runCompareReplicas(
  config: BackupConfig, signals: Signals,
): Promise<readonly ReplicaCompared[]> {
  const { CLICKHOUSE_DATABASE: database } = config;
  const first = { ...config, RASTRO_CLICKHOUSE_REPLICA: undefined };
  return within(first, signals, async ({ store, offsetPorts: { watch } }) => {
    const lagOf = async (replica?: string): Promise<number> => {
      const offsets = await Promise.all(groupsOf(replica).map(({ group, topics }) => (
        watch.offsets(group, topics)
      )));
      return offsets.flat().reduce((sum, { next, end }) => sum + Number(end - next), 0);
    };
    const compared: ReplicaCompared[] = [];
    for (const { name } of replicasIn(config.CLICKHOUSE_REPLICAS)) {
      const its = adminOf({ ...config, RASTRO_CLICKHOUSE_REPLICA: name }, database, signals);
      try {
        compared.push({
          name, lag: { first: await lagOf(), replica: await lagOf(name) },
          partitions: await compareReplicas({
            first: createTableUpkeep(store, database), replica: createTableUpkeep(its, database),
            pause: systemPause,
          }),
        });
      } finally {
        await its.close();
      }
    }
    return compared;
  });
}

interface Opened {
  readonly backups: TableBackups;
  readonly store: ClickHouse;
  readonly server: ClickHouse;
  readonly offsetPorts: OffsetPorts;
  readonly writeTail: (backup: TableBackup, sink: ClickHouse) => Promise<TailWritten>;
}

async function within<Result>(
  config: BackupConfig, signals: Signals, work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const { CLICKHOUSE_DATABASE: database, RASTRO_BACKUP_DISK: disk } = config;
  const kafka = openKafka(
    kafkaConfigOf(config, {
      clientId: CLIENT_ID, more: { reader: { batchRecordsMax: READ_RECORDS_MAX } },
    }),
    { signals, clock: systemClock, schemaIdOf: writesNothing },
  );
  const store = adminOf(config, database, signals);
  const server = adminOf(config, 'default', signals);
  const offsetPorts = {
    watch: createLogWatch(kafka.admin),
    topicIds: (topics: readonly string[]) => kafka.admin.topicIds(topics),
  };
  const writeTail = async (backup: TableBackup, sink: ClickHouse): Promise<TailWritten> => {
    const { ranges, gone } = await tailAfter(backup.offsets, TOPICS_READ, offsetPorts);
    // Only here: a backup needs no registry.
    const read = new Set([...TOPICS_READ, ...ERASED]);
    const schemas = await openSchemas(config, CLIENT_ID, read, signals);
    const reader = readerByWriter(tailReader(ranges, TOPICS_READ, kafka), schemas);
    let [records, refused] = [0, 0];
    for (const tables of tablesByWriter(config)) {
      // What the tables refuse was handled when it came; here it is only counted.
      const limits = { ...tableWriterConfigOf(config), tables, rejectedRatioMax: 1 };
      const written = await writeLog(limits, {
        reader, name: `restore-${createIds(systemClock).nonce()}`, sink, digest: sha256,
        clock: systemClock, signals,
      });
      records += written.records;
      refused += written.refused;
    }
    return { records, refused, gone };
  };
  try {
    return await work({
      backups: createTableBackups({ database, disk }, { store, server }),
      store, server, offsetPorts, writeTail,
    });
  } finally {
    await Promise.all([store.close(), server.close(), kafka.close(systemClock.nowMs())]);
  }
}

function writesNothing(topic: string): never {
  throw new Error(`Neither a backup nor a restore writes ${topic}.`);
}

/** The topics of each writer and their landing tables; overflow has that of its origin. */
function tablesByWriter(config: BackupConfig): readonly Readonly<Record<string, string>>[] {
  const { tables } = tableWriterConfigOf(config);
  return [tables, { [DIVERSION_LIMITS.overflow]: tables[DIVERSION_LIMITS.origin] ?? '' }];
}

function adminOf(config: BackupConfig, database: string, signals: Signals): ClickHouse {
  return openClickHouse({
    ...clickHouseConfigOf(config), user: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD, database, requestMsMax: config.RASTRO_BACKUP_MS_MAX,
  }, { signals });
}
