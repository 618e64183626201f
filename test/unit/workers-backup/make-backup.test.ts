import { describe, expect, it } from 'vitest';
import type { BackupWritten, TableBackup, TableBackups }
  from '../../../services/kernel/table-backups.ts';
import { findBackup } from '../../../services/workers/backup/find-backup.ts';
import { makeBackup } from '../../../services/workers/backup/make-backup.ts';

const NOW_MS = Date.parse('2026-11-23T02:17:00Z');
const DAY_MS = 86_400_000;
const clock = { nowMs: () => NOW_MS };
const offsets = () => Promise.resolve([]);

function aBackup(name: string, base?: string): TableBackup {
  return { name, base, startedAtMs: NOW_MS, offsets: [] };
}

/** Newest first, as the tables answer. */
function backupsWith(known: readonly TableBackup[], answers: readonly BackupWritten[] = ['written']) {
  const calls: string[] = [];
  const left = [...answers];
  const never = (): never => { throw new Error('not asked for'); };
  const backups: TableBackups = {
    finished: () => Promise.resolve(known),
    begin: ({ name }) => { calls.push(`begin ${name}`); return Promise.resolve(); },
    write: ({ name, base }) => {
      calls.push(`write ${name} upon ${base ?? 'nothing'}`);
      return Promise.resolve(left.shift() ?? 'written');
    },
    finish: ({ name }) => { calls.push(`finish ${name}`); return Promise.resolve(); },
    find: never, hasRows: never, restore: never, restoreAside: never,
  };
  return { backups, calls };
}

const make = async (
  known: readonly TableBackup[], answers?: readonly BackupWritten[], isFull = false,
): Promise<readonly string[]> => {
  const { backups, calls } = backupsWith(known, answers);
  await makeBackup({ chainMax: 2 }, { backups, offsets, clock }, isFull);
  return calls;
};

describe('Making a backup', () => {
  it('enters it before it is written and when it is whole', async () => {
    expect(await make([])).toEqual([
      'begin 2026-11-23.1', 'write 2026-11-23.1 upon nothing', 'finish 2026-11-23.1',
    ]);
  });

  it.each([
    ['upon the newest', [aBackup('2026-11-22.1')], '2026-11-22.1'],
    ['upon nothing when the chain is long',
      [aBackup('2026-11-22.2', '2026-11-22.1'), aBackup('2026-11-22.1')], 'nothing'],
    ['upon nothing when a base of the chain is not known',
      [aBackup('2026-11-22.2', '2026-11-22.1')], 'nothing'],
  ])('is %s', async (_what, known, base) => {
    expect(await make(known)).toContain(`write 2026-11-23.1 upon ${base}`);
  });

  it('needs no other when that is asked for', async () => {
    expect(await make([aBackup('2026-11-22.1')], undefined, true))
      .toContain('write 2026-11-23.1 upon nothing');
  });

  it('takes the next name where one is taken, and no base where that is gone', async () => {
    expect(await make([aBackup('2026-11-23.1')], ['name_taken', 'base_missing', 'written'])).toEqual([
      'begin 2026-11-23.2', 'write 2026-11-23.2 upon 2026-11-23.1',
      'begin 2026-11-23.3', 'write 2026-11-23.3 upon 2026-11-23.1',
      'begin 2026-11-23.3', 'write 2026-11-23.3 upon nothing', 'finish 2026-11-23.3',
    ]);
  });

  it('reads where the writers are before anything is written', async () => {
    const { backups, calls } = backupsWith([]);
    await makeBackup({ chainMax: 2 }, {
      backups, clock, offsets: () => { calls.push('offsets'); return Promise.resolve([]); },
    }, false);
    expect(calls[0]).toBe('offsets');
  });
});

describe('Finding the newest backup without the tables', () => {
  const find = (names: readonly string[], name?: string) => findBackup(name, {
    find: (asked) => Promise.resolve(names.includes(asked) ? aBackup(asked) : undefined),
  }, clock);
  const daysAgo = (days: number): string =>
    new Date(NOW_MS - days * DAY_MS).toISOString().slice(0, 10);

  it.each([
    [['2026-11-22.1', '2026-11-23.1', '2026-11-23.2'], '2026-11-23.2'],
    [['2026-11-23.3'], '2026-11-23.3'],
    [[`${daysAgo(60)}.1`], `${daysAgo(60)}.1`],
  ])('of %j is %s', async (names, newest) => {
    expect((await find(names)).name).toBe(newest);
  });

  it('is given up behind too many gaps, and after sixty days', async () => {
    await expect(find(['2026-11-23.4'])).rejects.toThrow('no whole backup');
    await expect(find([`${daysAgo(61)}.1`])).rejects.toThrow('no whole backup');
  });

  it('takes the name that is given', async () => {
    expect((await find(['2026-01-01.1', '2026-11-23.1'], '2026-01-01.1')).name).toBe('2026-01-01.1');
    await expect(find([], '2026-01-01.1')).rejects.toThrow('no whole backup 2026-01-01.1');
  });
});
