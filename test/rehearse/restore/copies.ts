import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askTables } from '../../faults/checker/collect/clickhouse.ts';
import { brokerDir } from '../../faults/house/house-log.ts';
import type { House } from '../../faults/house/house.ts';

const BACKUP = 'rehearsal';
/** What the engine is started with; everything else in its directory are its data. */
const ENGINE_FILES = new Set([
  'users.xml', 'config.xml', 'credentials.json', 'output.log', 'process.json',
]);

/** The tables as they are at one moment, taken to another place while everything works. */
export async function backUpTables(house: House): Promise<void> {
  const { clickhouse_database: database } = house.addresses;
  await askTables(house.addresses, `BACKUP DATABASE ${database} TO File('${BACKUP}')`);
  mkdirSync(backupDir(house), { recursive: true });
  renameSync(engineBackup(house), backupOf(house, 'tables'));
}

/** Copies of the disks of log and registry; nothing may write them meanwhile, so both end first. */
export async function backUpLog(house: House): Promise<void> {
  const { log, registry } = house;
  await Promise.all([...log.brokers.map((broker) => broker.stop()), registry.stop()]);
  cpSync(logDir(house), backupOf(house, 'log'), { recursive: true });
  mkdirSync(backupOf(house, 'registry'), { recursive: true });
  for (const name of schemaFiles(house)) {
    cpSync(join(registryDir(house), name), join(backupOf(house, 'registry'), name));
  }
}

/** Ends what still runs and removes every byte of data of all four parts. */
export async function destroyEverything(house: House): Promise<void> {
  await Promise.all([house.redis.stop(), house.clickhouse.stop()]);
  rmSync(logDir(house), { recursive: true });
  for (const name of schemaFiles(house)) rmSync(join(registryDir(house), name));
  rmSync(join(house.dir, 'stack', 'redis', 'appendonlydir'), { recursive: true });
  for (const name of readdirSync(engineDir(house))) {
    if (!ENGINE_FILES.has(name)) rmSync(join(engineDir(house), name), { recursive: true });
  }
}

/** Puts back log and registry, and starts them; the state store starts with nothing. */
export async function restoreLog(house: House): Promise<void> {
  cpSync(backupOf(house, 'log'), logDir(house), { recursive: true });
  cpSync(backupOf(house, 'registry'), registryDir(house), { recursive: true });
  await Promise.all([
    ...house.log.brokers.map((broker) => broker.start()), house.registry.start(),
    house.redis.start(),
  ]);
}

/** Puts back the tables; answers how many records they know of. */
export async function restoreTables(house: House): Promise<number> {
  const { clickhouse_database: database } = house.addresses;
  await house.clickhouse.start();
  mkdirSync(join(engineDir(house), 'backups'), { recursive: true });
  cpSync(backupOf(house, 'tables'), engineBackup(house), { recursive: true });
  const server = { ...house.addresses, clickhouse_database: 'default' };
  await askTables(server, `RESTORE DATABASE ${database} FROM File('${BACKUP}')`);
  const [row] = await askTables(house.addresses, 'SELECT count() AS n FROM ingest_records');
  return Number(row?.['n']);
}

function backupDir({ dir }: House): string {
  return join(dir, 'backup');
}

function backupOf(house: House, part: 'tables' | 'log' | 'registry'): string {
  return join(backupDir(house), part);
}

function logDir({ dir }: House): string {
  return join(brokerDir(dir, 1), 'log');
}

function registryDir({ dir }: House): string {
  return join(dir, 'stack', 'registry');
}

function schemaFiles(house: House): readonly string[] {
  return readdirSync(registryDir(house)).filter((name) => name.startsWith('schemas.'));
}

function engineDir({ dir }: House): string {
  return join(dir, 'stack', 'clickhouse');
}

function engineBackup(house: House): string {
  return join(engineDir(house), 'backups', BACKUP);
}
