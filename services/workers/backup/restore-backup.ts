import type { Clock } from '../../kernel/clock.ts';
import type { TableBackup, TableBackups } from '../../kernel/table-backups.ts';
import { isUnavailable, Unavailable } from '../../kernel/unavailable.ts';
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
  /** Hears of each step, since one may take minutes; an empty line at the end. */
  readonly report: (line: string) => void;
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
  name: string | undefined, replaces: boolean,
  { backups, migrate, writeTail, clock, report }: RestorePorts,
): Promise<Restored> {
  const backup = await findBackup(name, backups, clock);
  if (!replaces && await backups.hasRows()) return { kind: 'has_rows' };
  try {
    report(`Restoring the tables of ${backup.name} …`);
    await backups.restore(backup.name);
    report('Applying the migrations that came after it …');
    await migrate();
    report('Writing what follows it in the log …');
    const tail = await writeTail(backup);
    // Its own row says that it began: it was written before the backup was whole.
    await backups.finish(backup, backup.startedAtMs);
    return { kind: 'restored', backup, tail };
  } catch (error) {
    throw endedHalfway(backup.name, error);
  } finally {
    report('');
  }
}

/** What an operator does next belongs to the error; what kind of error it is stays. */
function endedHalfway(name: string, error: unknown): Error {
  const advice = `The restore of ${name} ended halfway and the tables are not whole: run`
    + ` \`rastro restore ${name} --replace\`.`;
  if (isUnavailable(error)) {
    return new Unavailable(error.code, error.stage, `${error.message}. ${advice}`, error);
  }
  return new Error(`${error instanceof Error ? error.message : String(error)}. ${advice}`, {
    cause: error,
  });
}
