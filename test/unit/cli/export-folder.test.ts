import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderFiles } from '../../../services/adapters/backup-storage/folder-files.ts';
import { exportCommand, type ExportPorts } from '../../../services/cli/export/command.ts';
import type { Manifest } from '../../../services/cli/export/manifest.ts';
import type { ExportSlice } from '../../../services/kernel/view-export.ts';

const FROM_S = Date.parse('2026-11-20T00:00:00Z') / 1_000;
const DAY_S = 86_400;
const day = (n: number) => ({ fromS: FROM_S + n * DAY_S, toS: FROM_S + (n + 1) * DAY_S });
const SLICES: readonly ExportSlice[] = [
  { window: day(0), provider: 'acme', keyTo: 'd5', rows: 3 },
  { window: day(0), provider: 'acme', keyFrom: 'd5', rows: 2 },
  { window: day(0), provider: 'a/b', rows: 1 }, { window: day(1), provider: 'acme', rows: 4 },
];
const NAMES = [
  '2026-11-20.acme.0.parquet', '2026-11-20.acme.1.parquet', '2026-11-20.a%2Fb.0.parquet',
  '2026-11-21.acme.0.parquet',
];
const ARGS = ['--format', 'parquet', '--from', '2026-11-20', '--to', '2026-11-22'];

let folder: string;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'rastro-folder-')); });
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A history that plans four slices; `failAt` is the slice that the store refuses. */
function history(failAt = -1) {
  const asked: ExportSlice[] = [];
  let plans = 0;
  const ports: ExportPorts = {
    history: {
      columns: async () => [
        { name: 'device_id', type: 'String' }, { name: 'provider', type: 'LowCardinality(String)' },
      ],
      async slices() {
        plans += 1;
        return SLICES;
      },
      mark: async () => ({ rows: 0, mark: '' }),
      days: async () => new Set(),
      rows: () => { throw new Error('A folder takes bytes.'); },
      async bytes(_question, slice) {
        if (asked.length === failAt) throw new Error('The store went away.');
        asked.push(slice);
        return { rows: slice.rows, chunks: textOf(slice), sql: 'SELECT 1', parameters: { from: 1 } };
      },
    },
    write: () => { throw new Error('A folder is no file.'); },
    folder: createFolderFiles,
    join: () => { throw new Error('One part needs no joining.'); },
    report: () => undefined, nowMs: () => 0,
  };
  return { ports, asked, plans: () => plans };
}

async function* textOf(slice: ExportSlice): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(slice));
}

const run = (ports: ExportPorts, ...more: readonly string[]) => (
  exportCommand(ports, [...ARGS, '--into', folder, ...more])
);
const manifest = async (): Promise<Manifest> => (
  JSON.parse(await readFile(join(folder, '_manifest.json'), 'utf8')) as Manifest
);

describe('an export into a folder', () => {
  it('writes a file for each day, provider and range, and says in the manifest what they are', async () => {
    const first = history();
    expect(await run(first.ports)).toMatchObject({
      value: { files: 4, kept: 0, rows: 10 }, exitCode: 0,
    });
    expect((await readdir(folder)).toSorted()).toEqual(['_manifest.json', ...NAMES].toSorted());
    const { files, rows, finished_at } = await manifest();
    expect({ rows, finished_at }).toEqual({ rows: 10, finished_at: '1970-01-01T00:00:00.000Z' });
    for (const [n, { file, day: of, provider, written }] of files.entries()) {
      const bytes = await readFile(join(folder, file));
      expect({ file, of, provider }).toEqual({
        file: NAMES[n], of: file.slice(0, 10), provider: SLICES[n]?.provider,
      });
      expect(written).toMatchObject({
        rows: SLICES[n]?.rows, bytes: bytes.length, sql: 'SELECT 1', parameters: { from: 1 },
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    }
  });

  it('goes on after an interruption with the same plan, and keeps what is whole', async () => {
    await expect(run(history(2).ports)).rejects.toThrow('went away');
    expect(await manifest()).toMatchObject({ rows: 5 });
    expect((await manifest()).finished_at).toBeUndefined();
    const second = history();
    expect(await run(second.ports)).toMatchObject({ value: { files: 4, kept: 2, rows: 10 } });
    expect(second.plans()).toBe(0);
    expect(second.asked).toEqual(SLICES.slice(2));
  });

  it('writes again what is missing or not as the manifest says', async () => {
    await run(history().ports);
    await rm(join(folder, NAMES[0] ?? ''));
    await writeFile(join(folder, NAMES[3] ?? ''), 'x');
    const again = history();
    expect(await run(again.ports)).toMatchObject({ value: { kept: 2, rows: 10 } });
    expect(again.asked).toEqual([SLICES[0], SLICES[3]]);
    expect(await run(history(0).ports)).toMatchObject({ value: { kept: 4 } });
  });

  it('does not mix with another export, and says so', async () => {
    await run(history().ports);
    const other = await run(history().ports, '--only', 'provider=acme');
    expect(other).toMatchObject({ exitCode: 1, lines: [expect.stringContaining('another folder')] });
  });
});
