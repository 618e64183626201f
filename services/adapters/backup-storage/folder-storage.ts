import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupStorage } from '../../kernel/backup-storage.ts';
import { Unavailable } from '../../kernel/unavailable.ts';

/** Backups in a folder of this machine, each in a folder of its own. */
export function createFolderStorage(folder: string): BackupStorage {
  return {
    names: () => guarded(async () => (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory()).map(({ name }) => name)),
    remove: (name) => guarded(() => rm(join(folder, name), { recursive: true, force: true })),
  };
}

async function guarded<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw new Unavailable(
      'sink_unavailable', 'apply', `the folder of backups: ${(error as Error).message}`, error,
    );
  }
}
