import type { BackupStorage } from '../../kernel/backup-storage.ts';
import type { TableBackup, TableBackups } from '../../kernel/table-backups.ts';

/** What deleting old backups takes. */
export interface PrunePorts {
  readonly backups: Pick<TableBackups, 'finished'>;
  readonly storage: BackupStorage;
}

/** What was deleted, and the oldest that is kept; undefined when too few chains are whole. */
export interface BackupsPruned {
  readonly removed: readonly string[];
  readonly oldestKept: string | undefined;
}

const NAME = /^(\d{4}-\d{2}-\d{2})\.\d+$/;

/**
 * Deletes what was begun on a day before the oldest of so many chains: whole backups, broken ones
 * and those that the tables do not know. A chain ends with a backup that needs no other, so that
 * nothing which a kept one needs is older. While fewer chains are whole, nothing is deleted.
 */
export async function pruneBackups(
  chainsMin: number, { backups, storage }: PrunePorts,
): Promise<BackupsPruned> {
  const oldestKept = oldestOf(await backups.finished(), chainsMin);
  const firstDay = NAME.exec(oldestKept ?? '')?.[1];
  if (firstDay === undefined) return { removed: [], oldestKept: undefined };
  const removed = (await storage.names()).filter((name) => {
    const day = NAME.exec(name)?.[1];
    return day !== undefined && day < firstDay;
  }).sort();
  for (const name of removed) await storage.remove(name);
  return { removed, oldestKept };
}

/** The backup with which the last of so many whole chains ends; backups come newest first. */
function oldestOf(known: readonly TableBackup[], chains: number): string | undefined {
  const byName = new Map(known.map((backup) => [backup.name, backup]));
  const roots: string[] = [];
  for (const backup of known) {
    let at: TableBackup | undefined = backup;
    while (at?.base !== undefined) at = byName.get(at.base);
    // The newest one must be whole, or it is not known what it needs.
    if (at === undefined && backup === known[0]) return undefined;
    if (at !== undefined && !roots.includes(at.name)) roots.push(at.name);
    if (roots.length === chains) return roots.toSorted()[0];
  }
  return undefined;
}
