import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readViews } from '../../../scripts/generate-dictionary/views.ts';
import type { ExportedRow, ExportQuestion, ViewExport }
  from '../../../services/kernel/view-export.ts';
import { exportCommand } from '../../../services/cli/export/command.ts';
import { EXPORTED_VIEWS } from '../../../services/cli/export/views.ts';

const START_MS = Date.parse('2026-11-20T23:59:00Z');
const fix = (n: number, over: ExportedRow = {}): ExportedRow => ({
  device_id: 'd1', ts: `${new Date(START_MS + n * 1_000).toISOString().slice(0, 19)}Z`,
  latitude: -23.5 + n / 1e7, longitude: 0.0000001, altitude: null, speed: null, bearing: null,
  ignition: null, odometer: null, provider: 'acme', ...over,
});

/** A history in memory, and how far reading was ahead of writing. */
function history(fixes: number, make: (n: number) => ExportedRow = fix) {
  let read = 0;
  let written = 0;
  let aheadMax = 0;
  const texts: string[] = [];
  const asked: ExportQuestion[] = [];
  const reported: string[] = [];
  let nowMs = 0;
  const store: ViewExport = {
    columns: async () => [
      { name: 'device_id', type: 'String' }, { name: 'provider', type: 'LowCardinality(String)' },
      { name: 'speed', type: 'Nullable(Float32)' },
    ],
    async slices(question) {
      asked.push(question);
      return [{ ...question.window && { window: question.window }, rows: fixes }];
    },
    mark: async () => ({ rows: 0, mark: '' }),
    days: async () => new Set(),
    async* rows({ only }) {
      const devices = only.get('device_id');
      for (let n = 0; n < fixes; n += 1) {
        read += 1;
        const row = make(n);
        if (devices === undefined || devices.includes(String(row['device_id']))) yield row;
      }
    },
    bytes: async (_question, { rows }, form) => ({
      rows, chunks: one(Buffer.from(`${form} file`)), sql: 'SELECT 1', parameters: {},
    }),
  };
  return {
    history: store, texts, asked, reported,
    report: (line: string) => { reported.push(line); },
    nowMs: () => (nowMs += 1),
    folder: () => { throw new Error('Nothing here goes into a folder.'); },
    join: chained,
    aheadMax: () => aheadMax,
    async write(_file: string | undefined, chunks: AsyncIterable<string | Uint8Array>) {
      for await (const chunk of chunks) {
        aheadMax = Math.max(aheadMax, read - written);
        if (fixes < 10) texts.push(Buffer.from(chunk).toString());
        written += 1;
      }
    },
  };
}

async function* one<Part>(part: Part): AsyncGenerator<Part> {
  yield part;
}

async function* chained(
  parts: AsyncIterable<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield* part;
}

const ARGS = ['--device', 'd1', '--from', '2026-11-20', '--to', '2026-11-22T00:00:00+01:00'];
const run = (of: ReturnType<typeof history>, format: string, ...more: string[]) => (
  exportCommand(of, ['--format', format, ...ARGS, ...more])
);
const features = (exported: ReturnType<typeof history>): unknown => (
  (JSON.parse(exported.texts.join('')) as { features: unknown }).features
);

describe('rastro export', () => {
  it('says what it wrote where, and keeps quiet when standard output holds the file', async () => {
    const exported = history(2);
    expect(await run(exported, 'csv', '--out', 'a.csv')).toEqual({
      value: { view: 'v_locations', format: 'csv', file: 'a.csv', rows: 2 },
      lines: ['2 rows of v_locations in a.csv.'], exitCode: 0,
    });
    expect(await run(exported, 'parquet')).toMatchObject({ lines: [], exitCode: 0 });
    expect(exported.texts).toEqual(['csv file', 'parquet file']);
  });

  it.each([
    ['a format that it does not know', ['--format', 'kml', ...ARGS]],
    ['a view that there is not', ['--format', 'csv', '--view', 'locations', ...ARGS]],
    ['a track without a device', ['--format', 'gpx', '--from', '2026-11-20', '--to', '2026-11-21']],
    ['no window', ['--format', 'csv', '--device', 'd1']],
    ['a window of what has no time', ['--format', 'csv', '--view', 'v_devices', ...ARGS]],
    ['a map of what has no place', ['--format', 'geojson', '--view', 'v_commands', ...ARGS]],
    ['ways of what are no tracks', ['--format', 'gpx', '--view', 'v_telemetry', ...ARGS]],
    ['a moment of what is no way', ['--format', 'csv', ...ARGS, '--at', '2026-11-21']],
    ['a map in a folder', ['--format', 'geojson', ...ARGS, '--into', 'maps']],
    ['a file and a folder', ['--format', 'csv', ...ARGS, '--into', 'a', '--out', 'b']],
    ['a column that holds no text', ['--format', 'csv', ...ARGS, '--only', 'speed=3']],
    ['a condition without a value', ['--format', 'csv', ...ARGS, '--only', 'provider']],
    ['a time that is none', ['--format', 'csv', ...ARGS, '--to', '2026-13-41']],
    ['a time without a zone', ['--format', 'csv', ...ARGS, '--to', '2026-11-22T10:00:00']],
    ['an end before the start', ['--format', 'csv', ...ARGS, '--to', '2026-11-20']],
    ['more days than are kept', ['--format', 'csv', ...ARGS, '--from', '2020-01-01']],
    ['an option that it does not know', ['--format', 'csv', ...ARGS, '--fast']],
  ])('is wrong use with %s', async (_what, args) => {
    const report = await exportCommand(history(1), args);
    expect(report.exitCode).toBe(2);
  });

  it('reports its progress when it takes over two seconds, and is quiet before', async () => {
    const exported = history(4_500);
    await run(exported, 'geojson');
    expect(exported.reported).toEqual([
      '2,000 of 4,500 rows, 1,000 rows/s, 3 s left', '4,000 of 4,500 rows, 1,000 rows/s, 1 s left',
    ]);
  });

  it.each(['gpx', 'geojson'])('writes %s as it reads, whatever there is', async (format) => {
    const exported = history(20_000);
    expect(await run(exported, format)).toMatchObject({ value: { rows: 20_000 } });
    expect(exported.aheadMax()).toBeLessThanOrEqual(2);
  });

  it('writes GPX with a segment after a silence, a track for each device, and no markup in a name',
    async () => {
      const exported = history(4, (n) => fix(n === 2 ? 1_000 : n, {
        device_id: n < 3 ? 'd1' : 'b<&>\u0000', altitude: n === 0 ? 7.5 : null,
      }));
      await run(exported, 'gpx', '--device', 'b<&>\u0000', '--device', 'unknown', '--device', 'd1');
      expect(exported.texts.join('')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Rastro" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>d1</name><trkseg>
<trkpt lat="-23.5000000" lon="0.0000001"><ele>7.50</ele><time>2026-11-20T23:59:00Z</time></trkpt>
<trkpt lat="-23.4999999" lon="0.0000001"><time>2026-11-20T23:59:01Z</time></trkpt>
</trkseg><trkseg>
<trkpt lat="-23.4999000" lon="0.0000001"><time>2026-11-21T00:15:40Z</time></trkpt>
</trkseg></trk>
<trk><name>b&lt;&amp;&gt;</name><trkseg>
<trkpt lat="-23.4999997" lon="0.0000001"><time>2026-11-20T23:59:03Z</time></trkpt>
</trkseg></trk>
</gpx>
`);
    });

  it.each([0, 1, 3])('writes GeoJSON of %d fixes that can be read', async (fixes) => {
    const exported = history(fixes, (n) => fix(n, { altitude: 7.5, speed: 61.5 }));
    await run(exported, 'geojson');
    expect(JSON.parse(exported.texts.join(''))).toMatchObject({ type: 'FeatureCollection' });
    expect(features(exported)).toHaveLength(fixes);
    if (fixes > 0) {
      expect((features(exported) as unknown[])[0]).toEqual({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [1e-7, -23.5, 7.5] },
        properties: {
          device_id: 'd1', ts: '2026-11-20T23:59:00Z', speed: 61.5, bearing: null, ignition: null,
          odometer: null, provider: 'acme',
        },
      });
    }
  });

  it('writes GeoJSON of trips as lines along their fixes', async () => {
    const trip = {
      device_id: 'd1', start_latitude: 1, start_longitude: 2, end_latitude: 3, end_longitude: 4,
    };
    const path = [[2, 1], [2, 3], [4, 3]];
    const exported = history(1, () => ({ ...trip, path }));
    await run(exported, 'geojson', '--view', 'v_trips');
    expect(exported.asked).toMatchObject([{ hasWays: true, isPlaced: false }]);
    expect(features(exported)).toEqual([{
      type: 'Feature', geometry: { type: 'LineString', coordinates: path }, properties: trip,
    }]);
  });

  it('writes GPX of the trip that a time is in, along its fixes', async () => {
    const asked: ExportQuestion[] = [];
    const exported = history(1);
    const trip = {
      device_id: 'd1', start_ts: '2026-11-20T23:59:00Z', end_ts: '2026-11-20T23:59:09Z',
    };
    const trips: ViewExport = {
      ...exported.history,
      async* rows(question) {
        asked.push(question);
        yield question.view.name === 'v_trips' ? trip : fix(0);
      },
    };
    await exportCommand({ ...exported, history: trips }, [
      '--format', 'gpx', '--view', 'v_trips', '--device', 'd1', '--at', '2026-11-20T23:59:05Z',
    ]);
    const atS = START_MS / 1_000 + 5;
    expect(asked).toMatchObject([
      { view: { name: 'v_trips' }, atS, window: { fromS: atS, toS: atS + 1 } },
      { view: { name: 'v_locations' }, window: { fromS: atS - 5, toS: atS + 5 } },
    ]);
    expect(exported.texts.join('')).toContain(
      '<trk><name>d1 2026-11-20T23:59:00Z</name><trkseg>\n<trkpt lat="-23.5000000"',
    );
  });

  it('asks for the rows of a window with one of the values, and on maps for those with a place',
    async () => {
      const exported = history(0);
      await run(exported, 'geojson', '--device', 'd2', '--device', 'd1', '--only', 'provider=a=b');
      await run(exported, 'csv', '--view', 'v_telemetry');
      expect(exported.asked).toMatchObject([
        {
          view: { name: 'v_locations' }, isPlaced: true,
          window: { fromS: 1_795_132_800, toS: 1_795_302_000 },
        },
        { view: { name: 'v_telemetry' }, isPlaced: false },
      ]);
      expect(exported.asked.map(({ only }) => [...only])).toEqual([
        [['device_id', ['d1', 'd2']], ['provider', ['a=b']]], [['device_id', ['d1']]],
      ]);
    });

  it('lists every view of the schema, with formats that its columns allow', async () => {
    // What is asked for a place, too, is a question and no table: a window does not name it.
    const isWindow = (parameter: string): boolean => /^(since|until) /.test(parameter);
    const views = readViews(join(process.cwd(), 'infra', 'clickhouse')).views
      .filter(({ parameters }) => parameters.every(isWindow));
    expect(EXPORTED_VIEWS.map(({ name }) => name).toSorted())
      .toEqual(views.map(({ name }) => name).toSorted());
    for (const view of EXPORTED_VIEWS) {
      const { columns = [], parameters = [] } = views.find(({ name }) => name === view.name) ?? {};
      const typeOf = (column: string) => columns.find(({ name }) => name === column)?.type ?? '';
      expect(view.isWindowed === true, view.name).toBe(parameters.length > 0);
      expect(typeOf(view.key), view.name).toContain('String');
      if (view.time !== undefined) expect(typeOf(view.time), view.name).toMatch(/^Date/);
      const latitudes = columns.filter(({ name }) => /^(.+_)?latitude$/.test(name));
      const ends = typeof view.geometry === 'object' ? view.geometry.map((end) => `${end}_`) : [''];
      expect(latitudes.map(({ name }) => name), view.name)
        .toEqual(view.geometry === undefined ? [] : ends.map((end) => `${end}latitude`));
      // The way of a row lies between the times of its two ends.
      if (view.fixesMax !== undefined) {
        expect(ends.map((end) => typeOf(`${end}ts`)), view.name).toEqual(ends.map(() => "DateTime('UTC')"));
      }
      expect(view.fixesMax !== undefined, view.name).toBe(Array.isArray(view.geometry));
      if (view.isTrack === true) expect(view).toMatchObject({ time: 'ts', geometry: 'point' });
    }
    const listed = await exportCommand(history(0), ['--list']);
    expect(listed.lines).toHaveLength(views.length);
    expect(listed.lines[0]).toMatch(/^v_locations +csv parquet geoparquet geojson gpx +ts$/);
    expect(listed.lines).toContainEqual(expect.stringMatching(/^v_devices +csv parquet +without/));
  });
});
