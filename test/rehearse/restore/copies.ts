import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backupFolderOf } from '../../../infra/local/clickhouse-config.ts';
import { askTables } from '../../faults/checker/collect/clickhouse.ts';
import { brokerDir } from '../../faults/cluster/cluster-log.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { destroyTables, engineDir } from '../../faults/kinds/tables.ts';

const BACKUP = 'rehearsal';

/** The tables as they are at one moment, taken to another place while everything works. */
export async function backUpTables(cluster: TestCluster): Promise<void> {
  const { clickhouse_database: database } = cluster.addresses;
  await askTables(cluster.addresses, `BACKUP DATABASE ${database} TO Disk('backups', '${BACKUP}')`);
  mkdirSync(backupDir(cluster), { recursive: true });
  renameSync(engineBackup(cluster), backupOf(cluster, 'tables'));
}

/** Copies of the disks of log and registry; nothing may write them meanwhile, so both end first. */
export async function backUpLog(cluster: TestCluster): Promise<void> {
  const { log, registry } = cluster;
  await Promise.all([...log.brokers.map((broker) => broker.stop()), registry.stop()]);
  cpSync(logDir(cluster), backupOf(cluster, 'log'), { recursive: true });
  mkdirSync(backupOf(cluster, 'registry'), { recursive: true });
  for (const name of schemaFiles(cluster)) {
    cpSync(join(registryDir(cluster), name), join(backupOf(cluster, 'registry'), name));
  }
}

/** Ends what still runs and removes every byte of data of all four parts. */
export async function destroyEverything(cluster: TestCluster): Promise<void> {
  await Promise.all([cluster.redis.stop(), destroyTables(cluster)]);
  rmSync(logDir(cluster), { recursive: true });
  for (const name of schemaFiles(cluster)) rmSync(join(registryDir(cluster), name));
  rmSync(join(cluster.dir, 'stack', 'redis', 'appendonlydir'), { recursive: true });
}

/** Puts back log and registry, and starts them; the state store starts with nothing. */
export async function restoreLog(cluster: TestCluster): Promise<void> {
  cpSync(backupOf(cluster, 'log'), logDir(cluster), { recursive: true });
  cpSync(backupOf(cluster, 'registry'), registryDir(cluster), { recursive: true });
  await Promise.all([
    ...cluster.log.brokers.map((broker) => broker.start()), cluster.registry.start(),
    cluster.redis.start(),
  ]);
}

/** Puts back the tables; answers how many records they know of. */
export async function restoreTables(cluster: TestCluster): Promise<number> {
  const { clickhouse_database: database } = cluster.addresses;
  await cluster.clickhouse.start();
  cpSync(backupOf(cluster, 'tables'), engineBackup(cluster), { recursive: true });
  const server = { ...cluster.addresses, clickhouse_database: 'default' };
  await askTables(server, `RESTORE DATABASE ${database} FROM Disk('backups', '${BACKUP}')`);
  const [row] = await askTables(cluster.addresses, 'SELECT count() AS n FROM ingest_records');
  return Number(row?.['n']);
}

function backupDir({ dir }: TestCluster): string {
  return join(dir, 'backup');
}

function backupOf(cluster: TestCluster, part: 'tables' | 'log' | 'registry'): string {
  return join(backupDir(cluster), part);
}

function logDir({ dir }: TestCluster): string {
  return join(brokerDir(dir, 1), 'log');
}

function registryDir({ dir }: TestCluster): string {
  return join(dir, 'stack', 'registry');
}

function schemaFiles(cluster: TestCluster): readonly string[] {
  return readdirSync(registryDir(cluster)).filter((name) => name.startsWith('schemas.'));
}

function engineBackup(cluster: TestCluster): string {
  return join(backupFolderOf(engineDir(cluster)), BACKUP);
}
