import { rmSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WORK_NICENESS } from './child.ts';
import {
  analystsDirOf, folderBeside, writeClickHouseConfig, type BackupDisk,
} from './clickhouse-config.ts';
import { engineEnvironment, engineReach } from './clickhouse-reach.ts';
import type { Credentials } from './credentials.ts';
import type { Log, Part } from './part.ts';
import { probeClickHouse } from './probes.ts';
import { supervise } from './supervise.ts';

/** Where the engine listens, its state directory, its users and what they may use. */
export type ClickHouseOptions = {
  readonly port: number;
  readonly dir: string;
  readonly credentials: Credentials;
  /** Databases of ingest and analyst; `test_*` covers every database that a test makes. */
  readonly databases: readonly string[];
  readonly memoryBytesMax?: number;
  readonly analystRowsPerHourMax?: number;
  readonly niceness?: number;
  /** Where backups go; by default a folder beside the directory. */
  readonly backups?: BackupDisk;
  readonly log: Log;
};

/** Files that are written one after the other are read together. */
const USERS_SETTLE_MS = 200;
const ENGINE_PACKAGE = '@chdb/lib-linux-x64-gnu';

/**
 * Starts the supervised ClickHouse engine of the npm package and creates the named databases. The
 * engine aborts on a broken HTTP head followed by a reset; the supervisor brings it back.
 */
export async function startClickHouse(options: ClickHouseOptions): Promise<Part> {
  requireEnginePackage();
  const { dir, port, credentials, databases } = options;
  const url = `http://127.0.0.1:${port}`;
  const memoryBytesMax = options.memoryBytesMax ?? 4_000_000_000;
  const { analystRowsPerHourMax } = options;
  const backups = options.backups ?? folderBeside(dir);
  const reach = engineReach([dir, ...(backups.kind === 'folder' ? [backups.path] : [])]);
  if (reach === undefined) {
    options.log('warning', 'ClickHouse lets no one in as analyst: this kernel has no Landlock of'
      + ' version 2 (Linux 5.19), and without it an analyst would read every file of this user.');
  }
  const configFile = writeClickHouseConfig({
    dir, credentials, databases, memoryBytesMax, backups, hasAnalyst: reach !== undefined,
    ...(analystRowsPerHourMax === undefined ? {} : { analystRowsPerHourMax }),
  });
  const part = await supervise({
    child: {
      name: 'clickhouse',
      dir,
      command: process.execPath,
      args: [
        join(import.meta.dirname, 'clickhouse-engine.ts'), dir, configFile, String(port),
        ...(reach === undefined ? [] : [JSON.stringify(reach)]),
      ],
      env: engineEnvironment(),
      stopBy: 'stdin',
      niceness: options.niceness ?? WORK_NICENESS,
    },
    // Its log tables of an earlier life keep a new one from starting.
    prepare: () => rmSync(join(dir, 'data', 'system'), { recursive: true, force: true }),
    probe: () => probeClickHouse(url, 'admin', credentials.admin),
    readyMsMax: 240_000,
    stopMsMax: 7_000,
    log: options.log,
  });
  for (const database of databases.filter((name) => !name.endsWith('*'))) {
    await execute(url, credentials.admin, `CREATE DATABASE IF NOT EXISTS ${database}`);
  }
  return whileWatched(part, analystsDirOf(dir));
}

/** A server reads its users again when a file changes; the engine does when it starts again. */
function whileWatched(part: Part, folder: string): Part {
  let changed: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name?.endsWith('.xml') !== true) return;
    clearTimeout(changed);
    changed = setTimeout(() => void part.restart().catch(() => undefined), USERS_SETTLE_MS);
  });
  const stop = async (): Promise<void> => {
    watcher.close();
    clearTimeout(changed);
    await part.stop();
  };
  return { ...part, stop };
}

async function execute(url: string, password: string, statement: string): Promise<void> {
  const headers = {
    'X-ClickHouse-User': 'admin',
    'X-ClickHouse-Key': password,
    connection: 'close',
  };
  const response = await fetch(url, { method: 'POST', body: statement, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`ClickHouse refused "${statement}": ${text.slice(0, 300)}`);
}

function requireEnginePackage(): void {
  try {
    createRequire(import.meta.url).resolve(`${ENGINE_PACKAGE}/package.json`);
  } catch (error) {
    throw new Error(
      'The local ClickHouse engine exists only for Linux x64 with glibc: name a running ' +
        'ClickHouse by CLICKHOUSE_URL.',
      { cause: error },
    );
  }
}
