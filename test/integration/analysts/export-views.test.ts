import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewExport } from '../../../services/adapters/clickhouse/view-export.ts';
import { joinParts } from '../../../services/adapters/parquet/join-parts.ts';
import type { ExportedView, ExportQuestion, ViewExport }
  from '../../../services/kernel/view-export.ts';
import { fileOf } from '../../../services/cli/export/to-file.ts';
import { EXPORTED_VIEWS, formatsOf } from '../../../services/cli/export/views.ts';
import { stackEnv } from '../../support/stack.ts';
import { record, writePosts } from '../clickhouse/history.ts';
import { readBack } from './read-back.ts';
import { runExport } from './run-export.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

const CSV = ['csv', 'CSVWithNames'] as const;
const PARQUET = ['parquet', 'Parquet'] as const;
const DAYS = 1;
// One view is asked for about ten times, and those of a window cost a second each to plan.
const VIEW_MS_MAX = 120_000;
const DAY_S = 86_400;
const FORMULAS = ['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1'];
const PLAIN = ['a=1', "'=1", '1-1', ''];

let data: AnalystData;
let folder: string;
let env: NodeJS.ProcessEnv;
let window: { readonly fromS: number; readonly toS: number };

beforeAll(async () => {
  [data, folder] = await Promise.all([createAnalystData(), mkdtemp(join(tmpdir(), 'rastro-views-'))]);
  env = { ...process.env, ...stackEnv(), CLICKHOUSE_DATABASE: data.history.database };
  window = { fromS: data.startTs, toS: data.startTs + DAYS * DAY_S };
  const carried = record('delivery.locations.v1', 'acme|driver|formula', {
    post_timestamp: data.startTs, device: { external_id: 'formula', external_type: 'driver' },
    traceables: [...FORMULAS, ...PLAIN].map((id) => ({ id, type: 'formula' })),
    locations: [{ timestamp: data.startTs, latitude: 1, longitude: 2 }],
  }, { receivedAtMs: data.startTs * 1_000 });
  expect(await writePosts(data.history.ingest, [carried])).toEqual([]);
}, 60_000);
afterAll(async () => {
  await data.history.drop();
  await rm(folder, { recursive: true, force: true });
});

const day = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** The options of a window that holds every row of a view. */
async function windowOf({ name, time, isWindowed }: ExportedView): Promise<readonly string[]> {
  if (isWindowed === true) return ['--from', day(window.fromS), '--to', day(window.toS)];
  if (time === undefined) return [];
  const [{ first, last } = {}] = await data.history.analyst.query(
    `SELECT toDate(min(${time})) AS first, toDate(max(${time})) + 1 AS last FROM ${name}`,
  );
  return ['--from', String(first), '--to', String(last)];
}

/** How a view is asked for the whole world. */
function sourceOf({ name, isWindowed }: ExportedView): string {
  return isWindowed === true
    ? `${name}(since = '${day(window.fromS)} 00:00:00', until = '${day(window.toS)} 00:00:00')` : name;
}

async function exported(
  view: ExportedView, format: string, ...more: readonly string[]
): Promise<{ readonly rows: number; readonly bytes: Buffer }> {
  const file = join(folder, `${view.name}.${format}`);
  const report = await runExport([
    '--view', view.name, '--format', format, '--out', file, ...more,
    ...await windowOf(view),
  ], env);
  expect(report, JSON.stringify(report)).toMatchObject({ exitCode: 0 });
  const { rows } = report.value as { readonly rows: number };
  return { rows, bytes: await readFile(file) };
}

const viewNamed = (name: string): ExportedView => (
  EXPORTED_VIEWS.find((view) => view.name === name) ?? { name, key: '' }
);

describe('an export of any view', () => {
  it.each(EXPORTED_VIEWS)('$name holds every row and column that the view shows', async (view) => {
    const source = sourceOf(view);
    // The texts that a spreadsheet would calculate are not the same in CSV; see below.
    const isSame = view.name !== 'v_delivery_locations' && view.name !== 'v_traceable_last';
    const [shown] = await data.history.analyst.query(`SELECT count() AS rows FROM ${source}`);
    // What is computed for a window is dear, and goes the same ways.
    const formats = view.isWindowed === true ? [CSV] : [CSV, PARQUET];
    for (const [format, reader] of formats) {
      const { rows, bytes } = await exported(view, format);
      expect(String(rows)).toBe(shown?.['rows']);
      expect(await readBack(data.history, source, reader, bytes), format).toEqual({
        rows: shown?.['rows'],
        unknown: isSame || format === 'parquet' ? '0' : String(FORMULAS.length),
      });
    }
  }, VIEW_MS_MAX);

  it.each(EXPORTED_VIEWS.filter((view) => formatsOf(view).includes('geojson')))(
    '$name has a place on the map in each row, in longitude and latitude', async (view) => {
      const { rows, bytes } = await exported(view, 'geojson');
      const { features } = JSON.parse(bytes.toString()) as {
        features: readonly { geometry: { coordinates: readonly unknown[] } }[];
      };
      expect(features).toHaveLength(rows);
      for (const { geometry: { coordinates } } of features) {
        const ends = view.geometry === 'point' ? [coordinates] : coordinates as (readonly unknown[])[];
        expect(ends.length).toBeGreaterThan(view.geometry === 'point' ? 0 : 1);
        for (const [longitude, latitude] of ends) {
          expect(Math.abs(Number(longitude))).toBeLessThanOrEqual(180);
          expect(Math.abs(Number(latitude))).toBeLessThanOrEqual(90);
        }
      }
    },
  );

  it('is of the rows that are asked for alone, and draws the way of a traceable', async () => {
    const { rows, bytes } = await exported(
      viewNamed('v_delivery_locations'), 'gpx', '--only', 'traceable_id=P1', '--only', 'external_id=rui',
    );
    expect(rows).toBe(3);
    expect(bytes.toString().match(/<trkpt lat="0\.\d{7}" lon="2\.0000000">/g)).toHaveLength(3);
    const wrong = await runExport(['--view', 'v_devices', '--format', 'csv', '--only', 'x=1'], env);
    expect(wrong).toMatchObject({ exitCode: 2, lines: [expect.stringContaining('no column x')] });
  });

  it('gives a spreadsheet no formula in CSV, and keeps every text elsewhere', async () => {
    const only = ['--only', 'traceable_type=formula'];
    const csv = (await exported(viewNamed('v_traceable_last'), 'csv', ...only)).bytes.toString();
    for (const id of FORMULAS) {
      expect(csv).toContain(`"'${id}"`);
      expect(csv).not.toContain(`"${id}"`);
    }
    for (const id of PLAIN) expect(csv).toContain(`"formula","${id}"`);
    const { bytes } = await exported(viewNamed('v_traceable_last'), 'geojson', ...only);
    for (const id of FORMULAS) expect(bytes.toString()).toContain(`:${JSON.stringify(id)},`);
    const { rows } = await exported(viewNamed('v_traceable_last'), 'csv', '--only', 'traceable_id==1+1');
    expect(rows).toBe(1);
  });

  it.each([1_000_000, 700])('holds each row once when %d rows are read at a time', async (sliceRowsMax) => {
    const days = { fromS: window.fromS, toS: window.fromS + 3 * DAY_S };
    const question: ExportQuestion = {
      view: viewNamed('v_locations'), window: days, only: new Map(), isPlaced: false,
    };
    const [shown] = await data.history.analyst.query('SELECT count() AS rows FROM v_locations');
    await withExport(sliceRowsMax, async (history) => {
      for (const isByProvider of [false, true]) {
        const slices = await history.slices(question, isByProvider);
        if (sliceRowsMax < 1_000) expect(slices.length).toBeGreaterThan(5);
        const quiet = { add: () => undefined };
        const csv = await textOf(fileOf({ history, join: joinParts }, question, 'csv', slices, quiet));
        expect(await readBack(data.history, 'v_locations', 'CSVWithNames', csv))
          .toEqual({ rows: shown?.['rows'], unknown: '0' });
        const parquet = await textOf(
          fileOf({ history, join: joinParts }, question, 'parquet', slices, quiet),
        );
        expect(await readBack(data.history, 'v_locations', 'Parquet', parquet))
          .toEqual({ rows: shown?.['rows'], unknown: '0' });
      }
    });
  });

  it('goes along the fixes of a trip, however few are read at a time', async () => {
    const question: ExportQuestion = {
      view: viewNamed('v_trips'), window, only: new Map(), isPlaced: false, hasWays: true,
    };
    const trips = await data.history.analyst.query(
      `SELECT device_id, toUnixTimestamp(start_ts) AS start, count() AS fixes
       FROM v_trips INNER JOIN v_locations USING (device_id)
       WHERE ts BETWEEN start_ts AND end_ts AND (latitude != 0 OR longitude != 0)
         AND day = toDate({day:UInt32}) GROUP BY device_id, start`, { day: data.startTs },
    );
    const expected = trips.map((trip) => `${String(trip['device_id'])} ${String(trip['start'])} `
      + String(trip['fixes'])).toSorted();
    for (const sliceRowsMax of [1_000_000, 2_000]) {
      await withExport(sliceRowsMax, async (history) => {
        const ways: string[] = [];
        for (const slice of await history.slices(question, false)) {
          for await (const row of history.rows(question, slice)) {
            const { device_id, start_ts, start_longitude, path } = row;
            const points = path as readonly (readonly number[])[];
            expect(points[0]?.[0]).toBe(start_longitude);
            ways.push(`${String(device_id)} ${Date.parse(String(start_ts)) / 1_000} ${points.length}`);
          }
        }
        expect(ways.length).toBeGreaterThan(5);
        expect(ways.toSorted()).toEqual(expected);
      });
    }
  });
});

async function withExport(
  sliceRowsMax: number, work: (history: ViewExport) => Promise<void>,
): Promise<void> {
  const { CLICKHOUSE_URL: url, ANALYST_USER: user, ANALYST_PASSWORD: password } = stackEnv();
  const history = openViewExport({
    url, user, password, database: data.history.database, requestMsMax: 60_000, sliceRowsMax,
  });
  try {
    await work(history);
  } finally {
    await history.close();
  }
}

async function textOf(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}
