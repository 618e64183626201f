import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObjectStore, type ObjectStore } from '../../../infra/local/object-store.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import { createTableBackups } from '../../../services/adapters/clickhouse/table-backups.ts';
import { backupSettings } from '../../../services/adapters/config/backup.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import type { BackupStorage } from '../../../services/kernel/backup-storage.ts';
import { openBackupStorage } from '../../../services/workers/assemble-backup-storage.ts';
import { makeBackup } from '../../../services/workers/backup/make-backup.ts';
import { pruneBackups } from '../../../services/workers/backup/prune-backups.ts';
import { startOwnTables, type OwnTables } from '../../support/own-tables.ts';
import { post, writePosts } from './history.ts';

const CACHE = resolve(import.meta.dirname, '..', '..', '..', '.rastro', 'cache');
const DAY_MS = 86_400_000;
const BEGAN = Math.floor(Date.now() / 1_000);
const log = (): void => undefined;

function storageAt(address: string, key = 'rastro'): BackupStorage {
  return openBackupStorage(readConfig('backup', backupSettings, {
    KAFKA_BROKERS: 'k:9092', SCHEMA_REGISTRY_URL: 'http://r', CLICKHOUSE_URL: 'http://c',
    RASTRO_BACKUP_STORAGE: address,
    ...(key === '' ? {} : {
      RASTRO_BACKUP_ACCESS_KEY_ID: key, RASTRO_BACKUP_SECRET_ACCESS_KEY: key,
    }),
  }));
}

describe.each(['folder', 'bucket'] as const)('Old backups in a %s', (kind) => {
  let root: string;
  let objects: ObjectStore | undefined;
  let own: OwnTables;
  let storage: BackupStorage;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'rastro-prune-'));
    const folder = join(root, 'backups');
    if (kind === 'bucket') {
      const [port = 0] = await freePorts(1);
      objects = await startObjectStore({
        port, dir: join(root, 'objects'), log,
        cache: { dir: process.env['RASTRO_CACHE_DIR'] ?? CACHE, log, waitMsMax: 600_000 },
      });
    }
    own = await startOwnTables(objects?.disk ?? { kind: 'folder', path: folder });
    storage = storageAt(objects?.disk.endpoint ?? folder, kind === 'bucket' ? 'rastro' : '');
  }, 240_000);
  afterAll(async () => {
    await own.close();
    await objects?.part.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('go chain by chain, and what is kept can be restored', async () => {
    const backups = createTableBackups({ database: own.database, disk: 'backups' }, own);
    const names: string[] = [];
    for (let day = 0; day < 4; day += 1) {
      await writePosts(own.as('ingest'), [post([{
        timestamp: BEGAN - day, country_id: 'BR', latitude: 1, longitude: 2,
      }], { device: 'd', offset: day })]);
      const { backup } = await makeBackup({ chainMax: 2 }, {
        backups, offsets: () => Promise.resolve([]),
        clock: { nowMs: () => Date.now() + day * DAY_MS },
      }, false);
      names.push(backup.name);
    }
    expect([...await storage.names()].toSorted()).toEqual(names);

    expect((await pruneBackups(3, { backups, storage })).removed).toEqual([]);
    expect((await pruneBackups(1, { backups, storage })).removed).toEqual(names.slice(0, 2));
    expect([...await storage.names()].toSorted()).toEqual(names.slice(2));
    expect(await backups.find(names[0] ?? '')).toBeUndefined();
    await own.loseDisk();
    await backups.restore(names[3] ?? '');
    expect(await own.store.query('SELECT count() AS n FROM v_locations')).toEqual([{ n: '4' }]);
  }, 180_000);

  if (kind === 'folder') return;

  it('are an outage when the storage is away, and no failure when they are gone', async () => {
    await storage.remove('2020-01-01.1');
    await objects?.part.stop();
    await expect(storage.names()).rejects.toMatchObject({ code: 'sink_unavailable' });
    await expect(storage.remove('2020-01-01.1')).rejects.toMatchObject({ code: 'sink_unavailable' });
  }, 60_000);
});

it('Where backups are must be said before one is made, with keys for a bucket', () => {
  expect(() => storageAt('', '')).toThrow('RASTRO_BACKUP_STORAGE');
  expect(() => storageAt('https://storage.example/bucket/', '')).toThrow('ACCESS_KEY');
  expect(() => storageAt('s3://bucket/')).toThrow('RASTRO_BACKUP_STORAGE');
});
