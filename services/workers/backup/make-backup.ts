import type { Clock } from '../../kernel/clock.ts';
import type { BackupOffset, TableBackup, TableBackups } from '../../kernel/table-backups.ts';

/** Limits of a backup. */
export interface BackupLimits {
  /** Backups until the next one that needs no other. */
  readonly chainMax: number;
}

/** What a backup takes. */
export interface BackupPorts {
  readonly backups: TableBackups;
  /** Where the table writers are now. */
  readonly offsets: () => Promise<readonly BackupOffset[]>;
  readonly clock: Clock;
}

/** A backup that is whole, and how long it took. */
export interface BackupMade {
  readonly backup: TableBackup;
  readonly tookMs: number;
}

const NAMES_MAX = 1_000;

/**
 * Writes one backup, upon the newest one unless that chain is long enough. The offsets are read
 * first: what the writers insert while the tables are copied may be in the backup and is also
 * after its offsets, and counts once by its identity when it is written again.
 */
export async function makeBackup(
  { chainMax }: BackupLimits, { backups, offsets, clock }: BackupPorts, isFull: boolean,
): Promise<BackupMade> {
  const known = await backups.finished();
  const startedAtMs = clock.nowMs();
  const written = await offsets();
  let base = isFull ? undefined : baseOf(known, chainMax);
  const day = new Date(startedAtMs).toISOString().slice(0, 10);
  let number = 1 + known.filter(({ name }) => name.startsWith(`${day}.`)).length;
  while (number <= NAMES_MAX) {
    const backup = { name: `${day}.${number}`, base, startedAtMs, offsets: written };
    await backups.begin(backup);
    const answer = await backups.write(backup);
    if (answer === 'written') {
      const finishedAtMs = clock.nowMs();
      await backups.finish(backup, finishedAtMs);
      return { backup, tookMs: finishedAtMs - startedAtMs };
    }
    if (answer === 'base_missing') {
      if (base === undefined) throw new Error('The store misses the base of a backup without one.');
      base = undefined;
    } else number += 1;
  }
  throw new Error(`There are ${NAMES_MAX} backups of ${day} already.`);
}

/** The newest backup, when its chain has room for another. */
function baseOf(known: readonly TableBackup[], chainMax: number): string | undefined {
  const byName = new Map(known.map((backup) => [backup.name, backup]));
  let length = 0;
  for (let at = known[0]; at !== undefined; at = byName.get(at.base ?? '')) {
    length += 1;
    if (at.base !== undefined && !byName.has(at.base)) return undefined;
  }
  return length < chainMax ? known[0]?.name : undefined;
}
