import type { Clock } from '../../kernel/clock.ts';
import type { TableBackup, TableBackups } from '../../kernel/table-backups.ts';

const DAY_MS = 86_400_000;
/** There is no such backup: what was named is not there, which is no failure of a store. */
export class BackupMissing extends Error {}

/** Longer ago the log has lost records that are in no backup. */
const DAYS_MAX = 60;
/** Numbers of a day that may be missing: attempts that were broken off left their names. */
const GAPS_MAX = 3;

/**
 * The backup of a name, or the newest one. The tables that would know may be lost, so the disk is
 * asked for one name after the other: a day and a number in it.
 */
export async function findBackup(
  name: string | undefined, backups: Pick<TableBackups, 'find'>, clock: Clock,
): Promise<TableBackup> {
  if (name !== undefined) {
    const found = await backups.find(name);
    if (found === undefined) throw new BackupMissing(`There is no whole backup ${name}.`);
    return found;
  }
  for (let days = 0; days <= DAYS_MAX; days += 1) {
    const day = new Date(clock.nowMs() - days * DAY_MS).toISOString().slice(0, 10);
    const found = await newestOf(day, backups);
    if (found !== undefined) return found;
  }
  throw new BackupMissing(
    `There is no whole backup of the last ${DAYS_MAX} days: make one by \`rastro backup\`, or name an older one.`,
  );
}

async function newestOf(
  day: string, backups: Pick<TableBackups, 'find'>,
): Promise<TableBackup | undefined> {
  let newest: TableBackup | undefined;
  for (let number = 1, gaps = 0; gaps < GAPS_MAX; number += 1) {
    const found = await backups.find(`${day}.${number}`);
    gaps = found === undefined ? gaps + 1 : 0;
    newest = found ?? newest;
  }
  return newest;
}
