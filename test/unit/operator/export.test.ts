import { describe, expect, it } from 'vitest';
import type { TrackExport, TrackFix } from '../../../services/kernel/track-export.ts';
import { exportCommand } from '../../../services/operator/commands/export.ts';

const START_MS = Date.parse('2026-11-20T23:59:00Z');
const fix = (n: number, over: Partial<TrackFix> = {}): TrackFix => ({
  device_id: 'd1', ts: `${new Date(START_MS + n * 1_000).toISOString().slice(0, 19)}Z`,
  latitude: -23.5 + n / 1e7, longitude: 0.0000001, altitude: null, speed: null, bearing: null,
  ignition: null, odometer: null, provider: 'acme', ...over,
});

/** A history in memory, and how far reading was ahead of writing. */
function history(fixes: number, make: (n: number) => TrackFix = fix) {
  let read = 0;
  let written = 0;
  let aheadMax = 0;
  const texts: string[] = [];
  const tracks: TrackExport = {
    count: async () => fixes,
    async* fixes() {
      for (let n = 0; n < fixes; n += 1) {
        read += 1;
        yield make(n);
      }
    },
    async* file(_window, format) { yield Buffer.from(`${format} file`); },
  };
  return {
    tracks, texts,
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

const ARGS = ['--device', 'd1', '--from', '2026-11-20', '--to', '2026-11-22T00:00:00+01:00'];
const run = (of: ReturnType<typeof history>, format: string, ...more: string[]) => (
  exportCommand(of, ['--format', format, ...ARGS, ...more])
);

describe('rastro export', () => {
  it('says what it wrote where, and keeps quiet when standard output holds the file', async () => {
    const world = history(2);
    expect(await run(world, 'csv', '--out', 'a.csv')).toEqual({
      value: { format: 'csv', file: 'a.csv', fixes: 2 }, lines: ['2 fixes in a.csv.'], exitCode: 0,
    });
    expect(await run(world, 'parquet')).toMatchObject({ lines: [], exitCode: 0 });
    expect(world.texts).toEqual(['csv file', 'parquet file']);
  });

  it.each([
    ['a format that it does not know', ['--format', 'kml', ...ARGS]],
    ['no device', ['--format', 'csv', '--from', '2026-11-20', '--to', '2026-11-21']],
    ['a time that is none', ['--format', 'csv', ...ARGS, '--to', '2026-13-41']],
    ['a time without a zone', ['--format', 'csv', ...ARGS, '--to', '2026-11-22T10:00:00']],
    ['an end before the start', ['--format', 'csv', ...ARGS, '--to', '2026-11-20']],
    ['more days than are kept', ['--format', 'csv', ...ARGS, '--from', '2020-01-01']],
    ['an option that it does not know', ['--format', 'csv', ...ARGS, '--fast']],
  ])('is wrong use with %s', async (_what, args) => {
    const report = await exportCommand(history(1), args);
    expect(report.exitCode).toBe(2);
  });

  it('refuses a Parquet file that an analyst may not read in one answer', async () => {
    expect(await run(history(1_000_001), 'parquet')).toMatchObject({ exitCode: 1 });
  });

  it.each(['gpx', 'geojson'])('writes %s as it reads, whatever there is', async (format) => {
    const world = history(20_000);
    expect(await run(world, format)).toMatchObject({ value: { fixes: 20_000 } });
    expect(world.aheadMax()).toBeLessThanOrEqual(2);
  });

  it('writes GPX with a segment after a silence, a track for each device, and no markup in a name',
    async () => {
      const world = history(4, (n) => fix(n === 2 ? 1_000 : n, {
        device_id: n < 3 ? 'a' : 'b<&>\u0000', altitude: n === 0 ? 7.5 : null,
      }));
      await run(world, 'gpx');
      expect(world.texts.join('')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Rastro" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>a</name><trkseg>
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
    const world = history(fixes, (n) => fix(n, { altitude: 7.5, speed: 61.5 }));
    await run(world, 'geojson');
    const collection = JSON.parse(world.texts.join('')) as { features: unknown[] };
    expect(collection).toMatchObject({ type: 'FeatureCollection' });
    expect(collection.features).toHaveLength(fixes);
    if (fixes > 0) {
      expect(collection.features[0]).toEqual({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [1e-7, -23.5, 7.5] },
        properties: {
          device_id: 'd1', ts: '2026-11-20T23:59:00Z', speed: 61.5, bearing: null, ignition: null,
          odometer: null, provider: 'acme',
        },
      });
    }
  });
});
