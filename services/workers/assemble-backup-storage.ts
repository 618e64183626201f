import { createBucketStorage } from '../adapters/backup-storage/bucket-storage.ts';
import { createFolderStorage } from '../adapters/backup-storage/folder-storage.ts';
import type { backupSettings } from '../adapters/config/backup.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { BackupStorage } from '../kernel/backup-storage.ts';

/** Opens the folder or bucket of the backups; throws one sentence where a setting is missing. */
export function openBackupStorage(config: ConfigOf<typeof backupSettings>): BackupStorage {
  const {
    RASTRO_BACKUP_STORAGE: address, RASTRO_BACKUP_ACCESS_KEY_ID: accessKeyId,
    RASTRO_BACKUP_SECRET_ACCESS_KEY: secretAccessKey, RASTRO_BACKUP_REGION: region,
  } = config;
  if (address === undefined) {
    throw new Error('Set RASTRO_BACKUP_STORAGE: where the disk of the backups is.');
  }
  if (address.startsWith('/')) return createFolderStorage(address);
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('Set RASTRO_BACKUP_ACCESS_KEY_ID and RASTRO_BACKUP_SECRET_ACCESS_KEY.');
  }
  return createBucketStorage({ url: address, accessKeyId, secretAccessKey, region }, systemClock);
}
