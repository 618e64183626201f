import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObjectStore, type ObjectStore } from '../../../infra/local/object-store.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import { openArchive, openArchiveEraser } from '../../../services/cli/archive/assemble.ts';
import type { ArchiveCatalog } from '../../../services/cli/archive/catalog.ts';
import { archiveCommand } from '../../../services/cli/archive/command.ts';
import { ARCHIVED_VIEWS } from '../../../services/cli/archive/views.ts';
import type { ExportedView } from '../../../services/kernel/view-export.ts';
import type { Report } from '../../../services/cli/ports.ts';
import { PYTHON_MS_MAX, runPython } from '../../support/analyst-python.ts';
import { stackEnv } from '../../support/stack.ts';
import { post, writePosts } from '../clickhouse/history.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

const SCRIPT = join(import.meta.dirname, 'read_archive.py');
const CACHE_DIR = process.env['RASTRO_CACHE_DIR'] ?? resolve('.rastro', 'cache');
const VIEW = ['--view', 'v_locations'];

let data: AnalystData;
let folder: string;
let objects: ObjectStore;
let host: string;
let day: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-archive-'));
  const [port = 0] = await freePorts(1);
  host = `127.0.0.1:${port}`;
  const log = (): void => undefined;
  [data, objects] = await Promise.all([createAnalystData(), startObjectStore({
    port, dir: join(folder, 'objects'), log, cache: { dir: CACHE_DIR, log, waitMsMax: 600_000 },
  })]);
  day = new Date(data.startTs * 1_000).toISOString().slice(0, 10);
}, PYTHON_MS_MAX);
afterAll(async () => {
  await data.history.drop();
  await objects.part.stop();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (): NodeJS.ProcessEnv => ({ RASTRO_ARCHIVE_STORAGE: join(folder, 'archive') });
const inBucket = (): NodeJS.ProcessEnv => ({
  RASTRO_ARCHIVE_STORAGE: `http://${host}/backups/archive/`,
  RASTRO_ARCHIVE_ACCESS_KEY_ID: 'rastro', RASTRO_ARCHIVE_SECRET_ACCESS_KEY: 'rastro',
});
const withLogin = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => (
  { ...stackEnv(), CLICKHOUSE_DATABASE: data.history.database, ...env }
);

async function archive(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Report> {
  const { ports, close } = openArchive(withLogin(env));
  try {
    return await archiveCommand({ ...ports, report: () => undefined }, ['--days', '6', ...args]);
  } finally {
    await close();
  }
}

async function catalog(env: NodeJS.ProcessEnv, view = 'v_locations'): Promise<ArchiveCatalog> {
  const { ports: { files }, close } = openArchive(withLogin(env));
  await close();
  return JSON.parse(String(await files.read(`${view}/_manifest.json`))) as ArchiveCatalog;
}

/** What the tables say of the day, as the script prints it. */
async function ofTables(): Promise<string> {
  const [row] = await data.history.analyst.query(
    `SELECT count() AS n, uniqExact(device_id) AS d, countIf(speed IS NULL) AS s,
            toUnixTimestamp(max(ts)) AS last
     FROM v_locations WHERE toDate(ts) < today()`,
  );
  const { n, d, s, last } = row as Record<string, unknown>;
  return [n, d, 'TIMESTAMP WITH TIME ZONE', s, last].join(' ') + '\n';
}

/** Days of the last 20 on which a view has rows. */
async function daysOf(view: ExportedView): Promise<readonly string[]> {
  const { ports, close } = openArchive(withLogin(inFolder()));
  const toS = Math.ceil(Date.now() / 1_000);
  const days = await ports.history.days({
    view, window: { fromS: toS - 20 * 86_400, toS }, only: new Map(), isPlaced: false,
  });
  await close();
  return [...days];
}

describe('the archive of days', () => {
  it.each(ARCHIVED_VIEWS.map((archived) => [archived.view.name, archived] as const))(
    'asks for %s on days on which its source has rows, and misses none', async (_, archived) => {
      const [own, asked] = [await daysOf(archived.view), await daysOf(archived.source)];
      expect(own).toContain(day);
      expect(asked).toEqual(expect.arrayContaining([...own]));
    },
  );

  it('is read by DuckDB from a folder, and again after late fixes and an erasure', async () => {
    const env = inFolder();
    const root = env['RASTRO_ARCHIVE_STORAGE'] ?? '';
    const read = () => runPython([SCRIPT, root, 'v_locations']);
    expect(await archive(env)).toMatchObject({ exitCode: 0 });
    expect(await read()).toBe(await ofTables());
    const whole = await read();
    const first = (await catalog(env)).days[day];
    expect(first).toMatchObject({ version: 1 });
    expect((await catalog(env, 'v_trips')).days[day]?.rows).toBeGreaterThan(5);

    expect(await archive(env, ...VIEW)).toMatchObject({ value: { views: [{ archived: [] }] } });

    const late = { timestamp: data.startTs + 40_000, country_id: 'BR', latitude: 1, longitude: 1 };
    expect(await writePosts(data.history.ingest, [post([late], {
      device: 'late', headers: { provider: 'probe' }, receivedAtMs: Date.now(),
    })])).toEqual([]);
    expect(await archive(env, ...VIEW)).toMatchObject({ value: { views: [{ archived: [day] }] } });
    const second = (await catalog(env)).days[day];
    expect(second).toMatchObject({ version: 2, rows: (first?.rows ?? 0) + 1 });
    expect(first?.files.map(({ file }) => existsSync(join(root, file)))).not.toContain(true);
    expect(await read()).toBe(await ofTables());

    const gone = await openArchiveEraser(withLogin(env))?.eraseDevice('late', Date.now());
    expect(gone).toBe(1);
    expect((await catalog(env)).days[day]).toMatchObject({ version: 3, rows: first?.rows });
    // Other files of the day stay as they are.
    const kept = (await catalog(env)).days[day]?.files.filter(({ file }) => file.includes('/v2/'));
    expect(kept?.length).toBe((second?.files.length ?? 0) - 1);
    expect(await read()).toBe(whole);
  }, PYTHON_MS_MAX);

  it('is read by DuckDB from a bucket, where drivers are erased too', async () => {
    const env = inBucket();
    expect(await archive(env)).toMatchObject({ exitCode: 0 });
    const s3 = ['s3://backups/archive', 'v_locations', host, 'rastro', 'rastro'];
    expect(await runPython([SCRIPT, ...s3])).toBe(await ofTables());
    const eraser = openArchiveEraser(withLogin(env));
    const before = (await catalog(env, 'v_delivery_locations')).days[day]?.rows ?? 0;
    const [{ client_id } = {}] = await data.history.analyst.query(
      "SELECT client_id FROM v_delivery_locations WHERE external_id = 'rui'",
    );
    const [driver] = (await eraser?.driversOf(String(client_id), 'acme') ?? [])
      .filter(({ external_id }) => external_id === 'rui');
    expect(driver).toBeDefined();
    if (driver !== undefined) expect(await eraser?.eraseDriver(driver, Date.now())).toBe(3);
    expect((await catalog(env, 'v_delivery_locations')).days[day]?.rows).toBe(before - 3);
  }, PYTHON_MS_MAX);

  it('keeps a day of which the tables hold fewer rows, and says so', async () => {
    const env = { RASTRO_ARCHIVE_STORAGE: join(folder, 'fewer') };
    await archive(env, ...VIEW);
    const { days } = await catalog(env);
    await data.history.admin.execute(
      "ALTER TABLE locations DELETE WHERE device_id = 'probe-1' SETTINGS mutations_sync = 2",
    );
    expect(await archive(env, ...VIEW)).toMatchObject({
      exitCode: 1, value: { views: [{ archived: [], fewer: [day] }] },
    });
    expect((await catalog(env)).days).toEqual(days);
    expect(await archive(env, ...VIEW, '--accept-fewer')).toMatchObject({ exitCode: 0 });
    expect((await catalog(env)).days[day]?.rows).toBeLessThan(days[day]?.rows ?? 0);
  }, PYTHON_MS_MAX);
});
