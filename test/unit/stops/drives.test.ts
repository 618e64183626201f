import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../stops/recorded-drives.ts';
import { fixesOfDrive } from '../../stops/sampled-fixes.ts';
import { parkedHour, simulatedDrive } from '../../stops/simulated-drive.ts';

const fix = (timestamp: number, speed: number, north = 0, ignition?: boolean) => ({
  timestamp, country_id: 'BR', latitude: north / 111_195, longitude: 0.5,
  telemetry: { timestamp, speed, ...(ignition === undefined ? {} : { ignition }) },
});
const every = (from: number, to: number, of: (ts: number) => ReturnType<typeof fix>) => (
  Array.from({ length: (to - from) / 60 }, (_, n) => of(from + 60 * n))
);

describe('labels of a recorded drive', () => {
  const drive = [
    ...every(0, 360, (ts) => fix(ts, 0)), ...every(360, 720, (ts) => fix(ts, 36, ts * 10)),
    ...every(720, 1_200, (ts) => fix(ts, 20, 7_000, false)),
  ];

  it('are stops below 5 km/h or with the ignition off, a trip between, and speed times time', () => {
    expect(labelsOf(drive)).toEqual({
      stops: [{ from: 0, to: 300 }, { from: 720, to: 1_140 }],
      trips: [{ from: 300, to: 660, meters: 3_600 }], meters: 3_600,
    });
  });

  it('are no stop where the vehicle went farther than 200 m', () => {
    expect(labelsOf(every(0, 600, (ts) => fix(ts, 3, ts))).stops).toEqual([]);
  });
});

describe('simulated drives', () => {
  it('have a trip between each two stops, and meters of every second', () => {
    const { seconds, stops, trips, meters } = simulatedDrive(1, 3);
    expect(stops).toHaveLength(4);
    expect(trips.map(({ from }) => from)).toEqual(stops.slice(0, -1).map(({ to }) => to));
    expect(seconds.reduce((sum, { kmh }) => sum + kmh / 3.6, 0)).toBeCloseTo(meters, 3);
  });

  it.each([0, 120])('are off by the noise that is asked for, drifting or not (%d s)', (driftS) => {
    const fixes = fixesOfDrive(
      parkedHour(), { noiseM: 10, driftS, everyS: 1, reportsSpeed: false }, 3,
    );
    const off = fixes.map(({ latitude }) => (latitude + 23.5) * 111_195);
    const step = off.slice(1).map((north, index) => north - (off[index] ?? 0));
    expect(rootMeanSquare(off)).toBeGreaterThan(7);
    expect(rootMeanSquare(off)).toBeLessThan(13);
    expect(rootMeanSquare(step) > 10).toBe(driftS === 0);
  });
});

function rootMeanSquare(all: readonly number[]): number {
  return Math.sqrt(all.reduce((sum, each) => sum + each ** 2, 0) / all.length);
}
