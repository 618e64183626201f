import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, post, writePosts, type History } from '../clickhouse/history.ts';
import { readBack } from './read-back.ts';
import { runExport } from './run-export.ts';

const DAY_S = 86_400;
const MIDNIGHT = (Math.floor(Date.now() / 1_000 / DAY_S) - 1) * DAY_S;
const day = (offset: number): string => (
  new Date((MIDNIGHT + offset * DAY_S) * 1_000).toISOString().slice(0, 10)
);
const MAIN = join(process.cwd(), 'services', 'cli', 'main.ts');
const FIXES = 600;

let history: History;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [history, folder] = await Promise.all([createHistory(), mkdtemp(join(tmpdir(), 'rastro-export-'))]);
  env = { ...process.env, ...stackEnv(), CLICKHOUSE_DATABASE: history.database };
  const fixes = Array.from({ length: FIXES }, (_, n) => ({
    timestamp: MIDNIGHT - 3_000 + 10 * n, country_id: 'BR', latitude: -23.5 + n / 1e5,
    longitude: -46.6, altitude: 700 + n, metadata: [{ name: 'a,"b', value: 'line\nbreak' }],
    telemetry: { timestamp: MIDNIGHT - 3_000 + 10 * n, speed: n % 90 },
  }));
  const zero = { timestamp: MIDNIGHT, country_id: 'BR', latitude: 0, longitude: 0 };
  expect(await writePosts(history.ingest, [
    post(fixes, { device: 'd1' }), post([...fixes.slice(0, 9), zero], { device: 'd1' }),
    post(fixes.slice(0, 2), { device: 'd2' }),
  ])).toEqual([]);
});
afterAll(async () => {
  await history.drop();
  await rm(folder, { recursive: true, force: true });
});

const args = (format: string, file: string) => [
  '--format', format, '--device', 'd1', '--from', day(-1), '--to', day(1), '--out', file,
];

async function exported(format: string, rows: number): Promise<Buffer> {
  const file = join(folder, `track.${format}`);
  expect(await runExport(args(format, file), env)).toEqual({
    value: { view: 'v_locations', format, file, rows },
    lines: [`${rows} rows of v_locations in ${file}.`], exitCode: 0,
  });
  return readFile(file);
}

describe('an export', () => {
  it.each([['csv', 'CSVWithNames'], ['parquet', 'Parquet']] as const)(
    'to %s holds every column of every fix, over midnight too', async (format, reader) => {
      expect(await readBack(history, 'v_locations', reader, await exported(format, FIXES + 1)))
        .toEqual({ rows: String(FIXES + 1), unknown: '0' });
    },
  );

  it('to GPX is one well-formed track of all places but 0,0, in the order of time', async () => {
    const text = (await exported('gpx', FIXES)).toString();
    expect(openTags(text)).toEqual([]);
    const times = [...text.matchAll(/<time>(.+?)<\/time>/g)].map(([, time]) => time);
    expect(times).toHaveLength(FIXES);
    expect(times.toSorted()).toEqual(times);
    expect(text).toContain('<trkpt lat="-23.5000000" lon="-46.6000000"><ele>700.00</ele>');
  });

  it('to GeoJSON is a collection of points in longitude and latitude', async () => {
    const { features } = JSON.parse((await exported('geojson', FIXES)).toString()) as {
      features: readonly { geometry: { coordinates: readonly number[] }; properties: object }[];
    };
    expect(features).toHaveLength(FIXES);
    expect(features[0]?.geometry.coordinates).toEqual([-46.6, -23.5, 700]);
    expect(features[9]?.properties).toMatchObject({ device_id: 'd1', speed: 9, provider: 'acme' });
  });

  it('leaves no file behind when it fails', async () => {
    const broken = { ...env, ANALYST_PASSWORD: 'wrong' };
    const file = join(folder, 'broken.csv');
    await expect(runExport(args('csv', file), broken)).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([]);
  });

  it('runs as a command, to standard output, with exit codes', async () => {
    const run = (...more: string[]) => promisify(execFile)(process.execPath, [MAIN, 'export', ...more], {
      env, maxBuffer: 10_000_000,
    });
    const window = ['--device', 'd2', '--from', day(-1), '--to', day(1)];
    const { stdout } = await run('--format', 'csv', ...window);
    expect(stdout).toMatch(/^"device_id","ts",/);
    expect(stdout.match(/^"d2",/gm)).toHaveLength(2);
    // What was not sent is an empty field, which every reader of CSV takes as absent.
    expect(stdout).toMatch(/^"d2",[^\n]*,,/m);
    expect(stdout).not.toContain('\\N');
    await expect(run('--format', 'csv')).rejects.toMatchObject({ code: 2 });
  });
});

/** Names of elements that are opened and not closed in their order; none when well-formed. */
function openTags(xml: string): readonly string[] {
  const open: string[] = [];
  for (const [, closes, name = ''] of xml.matchAll(/<(\/?)([a-z]+)(?: [^<>]*)?>/g)) {
    if (closes === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}
