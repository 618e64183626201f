import { describe, expect, it } from 'vitest';
import type { TableBackup } from '../../../services/kernel/table-backups.ts';
import { pruneBackups } from '../../../services/workers/backup/prune-backups.ts';

const aBackup = (name: string, base?: string): TableBackup => (
  { name, base, startedAtMs: 0, offsets: [] }
);

/** Three chains, newest backup first, as the tables answer. */
const KNOWN = [
  aBackup('2026-11-15.2', '2026-11-15.1'), aBackup('2026-11-15.1'),
  aBackup('2026-11-14.1', '2026-11-13.1'), aBackup('2026-11-13.1', '2026-11-12.1'),
  aBackup('2026-11-12.1'),
  aBackup('2026-11-11.1', '2026-11-10.1'), aBackup('2026-11-10.1'),
];

async function prune(
  keep: number, known: readonly TableBackup[] = KNOWN, more: readonly string[] = [],
) {
  const removed: string[] = [];
  const { removed: reported, oldestKept } = await pruneBackups(keep, {
    backups: { finished: () => Promise.resolve(known) },
    storage: {
      names: () => Promise.resolve([...KNOWN.map(({ name }) => name), ...more]),
      remove: (name) => { removed.push(name); return Promise.resolve(); },
    },
  });
  expect(reported).toEqual(removed);
  return { removed, oldestKept };
}

describe('Deleting old backups', () => {
  it.each([
    [1, '2026-11-15.1', [
      '2026-11-10.1', '2026-11-11.1', '2026-11-12.1', '2026-11-13.1', '2026-11-14.1',
    ]],
    [2, '2026-11-12.1', ['2026-11-10.1', '2026-11-11.1']],
    [3, '2026-11-10.1', []],
  ])('keeps %i chains, whole', async (keep, oldestKept, removed) => {
    expect(await prune(keep)).toEqual({ removed, oldestKept });
  });

  it('keeps all while fewer chains are whole', async () => {
    expect(await prune(4)).toEqual({ removed: [], oldestKept: undefined });
    expect(await prune(1, [])).toEqual({ removed: [], oldestKept: undefined });
  });

  it('keeps all when it is not known what the newest one needs', async () => {
    const [newest] = KNOWN;
    expect(await prune(1, [newest ?? aBackup('x'), ...KNOWN.slice(2)]))
      .toEqual({ removed: [], oldestKept: undefined });
  });

  it('counts no older chain whose end is not known', async () => {
    const known = KNOWN.filter(({ name }) => name !== '2026-11-12.1');
    expect((await prune(2, known)).oldestKept).toBe('2026-11-10.1');
  });

  it('deletes broken and unknown ones of those days too, and nothing of another name', async () => {
    const { removed } = await prune(1, KNOWN, [
      '2026-11-14.7', '2026-11-15.7', '2027-01-01.1', 'notes', '2026-11-14', '2026-11-14.x',
    ]);
    expect(removed).toHaveLength(6);
    expect(removed).toContain('2026-11-14.7');
  });
});
