import { describe, expect, it } from 'vitest';
import { LIBRARY, readLibrary, readTracks } from '../../../services/provider/readers/library.ts';
import type { Track } from '../../../services/provider/readers/track.ts';
import { readInstant } from '../../../services/provider/readers/values.ts';

async function tracksOf(path: string): Promise<Track[]> {
  const file = LIBRARY.find((entry) => entry.path === path);
  if (file === undefined) throw new Error(`${path} is not in the library`);
  return readTracks(file);
}

function census(tracks: readonly Track[]) {
  const fixes = tracks.flatMap((track) => track.fixes);
  let backSteps = 0;
  let copies = 0;
  let repeatedTimes = 0;
  for (const track of tracks) {
    const seen = new Set<string>();
    track.fixes.forEach((fix, index) => {
      const before = track.fixes[index - 1];
      if (before !== undefined && fix.timestamp < before.timestamp) backSteps += 1;
      if (before !== undefined && fix.timestamp === before.timestamp) repeatedTimes += 1;
      const text = JSON.stringify(fix);
      if (seen.has(text)) copies += 1;
      seen.add(text);
    });
  }
  return {
    vehicles: tracks.length,
    fixes: fixes.length,
    unsendable: tracks.reduce((sum, track) => sum + track.unsendable, 0),
    zero: fixes.filter((fix) => fix.latitude === 0 && fix.longitude === 0).length,
    backSteps,
    copies,
    repeatedTimes,
    lowestAltitude: Math.min(...fixes.map((fix) => fix.altitude ?? 0)),
    withTelemetry: fixes.filter((fix) => fix.telemetry !== undefined).length,
  };
}

describe('the readers keep what the files hold', () => {
  it.each([
    ['capmetrics/2015-03-07.csv.gz', { vehicles: 158, fixes: 44_564, copies: 139, backSteps: 571 }],
    ['capmetrics/2015-03-18.csv.gz', { vehicles: 281, fixes: 19_690, zero: 53, backSteps: 1_379 }],
    ['capmetrics/2017-03-16.csv.gz', { vehicles: 277, fixes: 36_271, zero: 2, copies: 0 }],
    ['rsk-twizy/T1_03_29_2021.csv.gz', { fixes: 6_179, unsendable: 10, backSteps: 0 }],
    ['rsk-twizy/T2_03_30_2021.csv.gz', { fixes: 6_812, unsendable: 56, backSteps: 0 }],
    ['rsk-twizy/T3_05_25_2021_04.csv.gz', { fixes: 2_517, unsendable: 0, lowestAltitude: -111 }],
    ['envirocar/track_1.json.gz', { fixes: 368, withTelemetry: 367, backSteps: 0, copies: 0 }],
    ['barefoot-munich/x0001-001.json.gz', { fixes: 1_194, withTelemetry: 0, backSteps: 0 }],
    ['barefoot-munich/x0001-015.json', { fixes: 80, withTelemetry: 0 }],
  ])('%s has the documented rows and faults', async (path, expected) => {
    expect(census(await tracksOf(path))).toMatchObject(expected);
  });

  it('reads every file of the library, the first devices from different sources', async () => {
    const tracks = await readLibrary([]);
    expect(tracks).toHaveLength(722);
    expect(new Set(tracks.slice(0, 4).map((track) => track.source)).size).toBe(4);
  });

  it('reads only the named sources', async () => {
    const tracks = await readLibrary(['envirocar']);
    expect(tracks.map((track) => track.vehicle)).toEqual(['track_1']);
  });
});

describe('the readers change units to those of the interface', () => {
  it('turns m/s of 2017 and mph of 2015 into km/h, and keeps the 255 mph of a missing value',
    async () => {
      const of2017 = (await tracksOf('capmetrics/2017-03-16.csv.gz')).flatMap((track) => track.fixes);
      const noValue = of2017.filter((fix) => fix.telemetry?.speed === 410.38272);
      expect(noValue).toHaveLength(10);
      const of2015 = (await tracksOf('capmetrics/2015-03-18.csv.gz'))[0];
      expect(of2015?.fixes[1]?.telemetry?.speed).toBe(0.804672);
    });

  it('takes local time of Morocco to UTC', async () => {
    const [drive] = await tracksOf('rsk-twizy/T1_03_29_2021.csv.gz');
    expect(drive?.fixes[0]?.timestamp).toBe(Date.UTC(2021, 2, 29, 10, 13, 45) / 1000);
  });

  it('leaves the gap of an impossible date', async () => {
    const [drive] = await tracksOf('rsk-twizy/T1_03_29_2021.csv.gz');
    const steps = (drive?.fixes ?? []).map((fix, index, all) =>
      fix.timestamp - (all[index - 1]?.timestamp ?? fix.timestamp));
    expect(Math.max(...steps)).toBe(11);
  });

  it('gives km/L only while the car moves', async () => {
    const [track] = await tracksOf('envirocar/track_1.json.gz');
    const first = track?.fixes[0]?.telemetry;
    expect(first?.fuel_consumption).toBeCloseTo(58.486 / 5.9769, 3);
    const standing = track?.fixes.filter((fix) => fix.telemetry?.speed === 0) ?? [];
    expect(standing.length).toBeGreaterThan(0);
    for (const fix of standing) expect(fix.telemetry).not.toHaveProperty('fuel_consumption');
  });

  it('reads offsets in every form of the files and refuses dates that do not exist', () => {
    expect(readInstant('2014-09-10 06:54:07+0200')).toBe(Date.UTC(2014, 8, 10, 4, 54, 7) / 1000);
    expect(readInstant('2015-03-07T10:03:34-06:00')).toBe(Date.UTC(2015, 2, 7, 16, 3, 34) / 1000);
    expect(readInstant('2021-02-30T00:00:00Z')).toBeUndefined();
    expect(readInstant('2021-02-03T00:00:00')).toBeUndefined();
  });
});
