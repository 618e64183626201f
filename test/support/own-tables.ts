import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrateDatabase } from '../../infra/clickhouse/migrate-database.ts';
import { analystsDirOf, type BackupDisk } from '../../infra/local/clickhouse-config.ts';
import { startClickHouse } from '../../infra/local/clickhouse.ts';
import { startObjectStore } from '../../infra/local/object-store.ts';
import type { Part } from '../../infra/local/part.ts';
import { freePorts } from '../../infra/local/ports.ts';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../services/kernel/signals.ts';

const CACHE_DIR = resolve(import.meta.dirname, '..', '..', '.rastro', 'cache');
const CREDENTIALS = {
  admin: 'admin', ingest: 'ingest', analyst: 'analyst', history: 'history', backup: 'backup',
  pictures: 'pictures',
};
const DATABASE = 'tracking';
/** What the engine is started with. */
const FILES = new Set(['users.d', 'users.xml', 'config.xml', 'output.log', 'process.json']);

/** An engine with migrated tables that one test may break. */
export interface OwnTables {
  readonly database: string;
  readonly url: string;
  readonly engine: Part;
  /** Where it reads the users of analysts from. */
  readonly analystsDir: string;
  /** Connections as `admin`: to the database, and to another one. */
  readonly store: ClickHouse;
  readonly server: ClickHouse;
  as(user: 'ingest' | 'analyst' | 'backup' | 'history' | 'pictures', database?: string): ClickHouse;
  /** Ends the engine, removes every byte of its data and starts it empty. */
  loseDisk(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an engine of the test's own; its backups go to a folder, a bucket or the given disk. */
export async function startOwnTables(
  backups: BackupDisk['kind'] | BackupDisk = 'folder',
): Promise<OwnTables> {
  const root = mkdtempSync(join(tmpdir(), 'rastro-tables-'));
  const dir = join(root, 'clickhouse');
  const [port = 0, storePort = 0] = await freePorts(2);
  const log = (): void => undefined;
  const objects = backups !== 'bucket' ? undefined : await startObjectStore({
    port: storePort, dir: join(root, 'objects'), log,
    cache: { dir: process.env['RASTRO_CACHE_DIR'] ?? CACHE_DIR, log, waitMsMax: 600_000 },
  });
  const engine = await startClickHouse({
    port, dir, credentials: CREDENTIALS, databases: [DATABASE], log,
    ...(typeof backups === 'object' ? { backups } : {}),
    ...(objects === undefined ? {} : { backups: objects.disk }),
  });
  const url = `http://127.0.0.1:${port}`;
  const opened: ClickHouse[] = [];
  const open = (user: keyof typeof CREDENTIALS, database: string): ClickHouse => {
    const store = openClickHouse({
      ...CLICKHOUSE_LIMITS, url, user, password: CREDENTIALS[user], database,
    }, { signals: silentSignals });
    opened.push(store);
    return store;
  };
  await migrateDatabase({ url, user: 'admin', password: CREDENTIALS.admin, database: DATABASE });
  return {
    database: DATABASE, url, engine, analystsDir: analystsDirOf(dir),
    store: open('admin', DATABASE), server: open('admin', 'default'),
    as: (user, database = DATABASE) => open(user, database),
    async loseDisk() {
      await engine.stop();
      for (const name of readdirSync(dir).filter((each) => !FILES.has(each))) {
        rmSync(join(dir, name), { recursive: true });
      }
      await engine.start();
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()));
      await engine.stop();
      await objects?.part.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
