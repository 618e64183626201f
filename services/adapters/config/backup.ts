import { gatewaysSettings } from './gateways.ts';
import { rebuildSettings } from './rebuild.ts';
import type { Settings } from './setting.ts';

/** Settings of `services/workers/backup-once.ts`: those of a rebuild and its own. */
export const backupSettings = {
  ...rebuildSettings,
  /** Not asked: a backup needs no state. */
  REDIS_URL: { ...rebuildSettings.REDIS_URL, optional: true },
  RASTRO_COUNTRIES: gatewaysSettings.RASTRO_COUNTRIES,
  RASTRO_BACKUP_DISK: {
    type: 'string', default: 'backups', pattern: '^[a-z][a-z0-9_]*$',
    description: 'Disk of the ClickHouse server where backups are: object storage or a folder.',
  },
  RASTRO_BACKUP_CHAIN_MAX: {
    type: 'integer', default: 7, minimum: 1, maximum: 100,
    description: 'Backups until the next one that needs no other: 7 is one each week of nightly ones.',
  },
  RASTRO_BACKUP_STORAGE: {
    type: 'string', optional: true, pattern: '^(/|https?://[^/]+/[^/]+)',
    description: 'Where old backups are deleted: an absolute folder, or https://host/bucket/path/.',
  },
  RASTRO_BACKUP_ACCESS_KEY_ID: {
    type: 'string', optional: true, minLength: 1, description: 'Who may delete in that bucket.',
  },
  RASTRO_BACKUP_SECRET_ACCESS_KEY: {
    type: 'string', optional: true, minLength: 1, secret: true,
    description: 'The key of who may delete in that bucket.',
  },
  RASTRO_BACKUP_REGION: {
    type: 'string', default: 'us-east-1', minLength: 1,
    description: 'Region of that bucket, which is a part of signatures.',
  },
  RASTRO_BACKUP_MS_MAX: {
    type: 'integer', default: 21_600_000, minimum: 60_000, maximum: 86_400_000,
    description: 'Longest statement of a backup or a restore, in milliseconds.',
  },
} as const satisfies Settings;
