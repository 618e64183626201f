import { expect, it } from 'vitest';
import type { TableBackup, TableBackups } from '../../../services/kernel/table-backups.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { restoreBackup } from '../../../services/workers/backup/restore-backup.ts';

const BACKUP: TableBackup = { name: '2026-11-23.1', base: undefined, startedAtMs: 1, offsets: [] };

function restoring(failure: Error, lines: string[] = []): Promise<unknown> {
  const backups = {
    list: () => Promise.resolve([BACKUP]), find: () => Promise.resolve(BACKUP),
    hasRows: () => Promise.resolve(false), restore: () => Promise.reject(failure),
  } as unknown as TableBackups;
  return restoreBackup(BACKUP.name, false, {
    backups, migrate: () => Promise.resolve(),
    writeTail: () => Promise.reject(new Error('never so far')),
    clock: { nowMs: () => 2 }, report: (line) => { lines.push(line); },
  }).catch((error: unknown) => error);
}

it.each([
  [new Unavailable('sink_unavailable', 'insert', 'no route'), Unavailable],
  [new Error('the disk is full'), Error],
])('says how a restore that ended halfway is repeated: %s', async (failure, kind) => {
  const lines: string[] = [];
  const error = await restoring(failure, lines) as Error;
  expect(lines).toEqual(['Restoring the tables of 2026-11-23.1 …', '']);
  expect(error).toBeInstanceOf(kind);
  expect(error.message).toContain(failure.message);
  expect(error.message).toContain('run `rastro restore 2026-11-23.1 --replace`');
});
