import type { Clock } from '../../kernel/clock.ts';
import type { TableBackup, TableBackups } from '../../kernel/table-backups.ts';
import { findBackup } from './find-backup.ts';
import type { GoneRange } from './log-offsets.ts';

/** What a restore takes. */
export interface RestorePorts {
  readonly backups: TableBackups;
  /** Applies what the backup's release did not know yet. */
  readonly migrate: () => Promise<void>;
  /** Writes what follows the backup in the log. */
  readonly writeTail: (backup: TableBackup) => Promise<TailWritten>;
  readonly clock: Clock;
}

/** What was written of the log after a backup. */
export interface TailWritten {
  readonly records: number;
  readonly refused: number;
  readonly gone: readonly GoneRange[];
}

/** How a restore ended. */
export type Restored =
  | { readonly kind: 'restored'; readonly backup: TableBackup; readonly tail: TailWritten }
  | { readonly kind: 'has_rows' };

/**
 * Makes the tables as they were in a backup and writes the log from its offsets on. Writers may run
 * meanwhile: they wait until the landing tables are back, and what they write counts once. Tables
 * with rows are replaced only when that is asked for.
 */
export async function restoreBackup(
  name: string | undefined, replaces: boolean, { backups, migrate, writeTail, clock }: RestorePorts,
): Promise<Restored> {
  const backup = await findBackup(name, backups, clock);
  if (!replaces && await backups.hasRows()) return { kind: 'has_rows' };
  await backups.restore(backup.name);
  await migrate();
  const tail = await writeTail(backup);
  // Its own row says that it began: it was written before the backup was whole.
  await backups.finish(backup, backup.startedAtMs);
  return { kind: 'restored', backup, tail };
}
