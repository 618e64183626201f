import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON_MS_MAX, runPython } from '../../support/analyst-python.ts';
import { stackEnv } from '../../support/stack.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';
import { runExport } from './run-export.ts';

const SCRIPT = join(import.meta.dirname, 'open_exports.py');
const DAY_S = 86_400;

let data: AnalystData;
let folder: string;
let window: readonly string[];

beforeAll(async () => {
  [data, folder] = await Promise.all([createAnalystData(), mkdtemp(join(tmpdir(), 'rastro-open-'))]);
  const day = (offset: number): string => (
    new Date((data.startTs + offset * DAY_S) * 1_000).toISOString().slice(0, 10)
  );
  window = ['--from', day(0), '--to', day(1)];
}, 60_000);
afterAll(async () => {
  await data.history.drop();
  await rm(folder, { recursive: true, force: true });
});

async function exported(...args: readonly string[]): Promise<void> {
  const env = { ...process.env, ...stackEnv(), CLICKHOUSE_DATABASE: data.history.database };
  const report = await runExport(args, env);
  expect(report, JSON.stringify(report)).toMatchObject({ exitCode: 0 });
}

async function asked(select: string): Promise<Record<string, unknown>> {
  const [row] = await data.history.analyst.query(
    `SELECT ${select} SETTINGS output_format_json_quote_64bit_integers = 0`,
    { from: data.startTs, to: data.startTs + DAY_S },
  );
  return row ?? {};
}

/** What the tables say of the day; the script holds the exports to it. */
async function expectations(): Promise<Record<string, unknown>> {
  const ofDay = 'ts >= toDateTime({from:UInt32}) AND ts < toDateTime({to:UInt32})';
  const isPlaced = '(latitude != 0 OR longitude != 0)';
  const iso = (what: string): string => `formatDateTime(${what}, '%Y-%m-%dT%H:%i:%S+00:00', 'UTC')`;
  const columns = await data.history.analyst.query('DESCRIBE v_locations');
  return {
    ...await asked(`count() AS rows, countIf(speed IS NULL) AS speed_nulls, avg(speed) AS speed_mean,
      countIf(altitude IS NULL) AS altitude_nulls, countIf(${isPlaced}) AS placed,
      ${iso('min(ts)')} AS first, ${iso('max(ts)')} AS last, uniqExact(device_id) AS devices
      FROM v_locations WHERE ${ofDay}`),
    ...await asked(`mapFromArrays(groupArray(device_id), groupArray(n)) AS tracks FROM (
      SELECT device_id, uniqExact(ts) AS n FROM v_locations WHERE ${ofDay} AND ${isPlaced}
      GROUP BY device_id HAVING n > 1)`),
    ...await asked('count() AS trips FROM v_trips WHERE day = toDate({from:UInt32})'),
    ...await asked(`count() AS fixes_of_trips FROM v_trips INNER JOIN v_locations USING (device_id)
      WHERE ts BETWEEN start_ts AND end_ts AND ${isPlaced} AND day = toDate({from:UInt32})`),
    columns: columns.map(({ name }) => name),
  };
}

describe('what is exported', () => {
  it('opens in pandas, DuckDB, GeoPandas and MovingPandas with types, times and places', async () => {
    await exported('--format', 'csv', ...window, '--out', join(folder, 'locations.csv'));
    await exported('--format', 'parquet', ...window, '--out', join(folder, 'locations.parquet'));
    await exported('--format', 'parquet', ...window, '--into', join(folder, 'locations'));
    await exported('--format', 'geoparquet', ...window, '--out', join(folder, 'points.parquet'));
    await exported('--view', 'v_device_days', '--format', 'csv', ...window, '--out', join(folder, 'days.csv'));
    for (const [format, ending] of [['geoparquet', 'parquet'], ['geojson', 'geojson']] as const) {
      const file = join(folder, `trips.${ending}`);
      await exported('--view', 'v_trips', '--format', format, ...window, '--out', file);
    }
    const columns = 'device_id, duration_s, distance_m';
    const at = "formatDateTime(start_ts, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS at";
    const trip = await asked(`${columns}, count() AS fixes, ${at}
      FROM v_trips INNER JOIN v_locations USING (device_id)
      WHERE ts BETWEEN start_ts AND end_ts AND day = toDate({from:UInt32})
      GROUP BY ${columns}, start_ts ORDER BY fixes DESC LIMIT 1`);
    await exported('--view', 'v_trips', '--format', 'gpx', '--device', String(trip['device_id']),
      '--at', String(trip['at']), '--out', join(folder, 'trip.gpx'));
    const expected = { ...await expectations(), trip };
    expect(await runPython([SCRIPT, folder, JSON.stringify(expected)]))
      .toBe('with_pandas\nwith_duckdb\nwith_geopandas\nwith_movingpandas\n');
  }, PYTHON_MS_MAX);
});
