import { expect, it } from 'vitest';
import { BackupMissing, findBackup } from '../../../services/workers/backup/find-backup.ts';

const clock = { nowMs: () => 1_764_000_000_000 };

it.each([['2020-01-01.9'], [undefined]])(
  'says that a backup is not there, apart from failures of the store: %s', async (name) => {
    const backups = { find: () => Promise.resolve(undefined) };
    await expect(findBackup(name, backups, clock)).rejects.toThrow(BackupMissing);
    const failing = { find: () => Promise.reject(new Error('no route')) };
    await expect(findBackup(name, failing, clock)).rejects.not.toThrow(BackupMissing);
  },
);
