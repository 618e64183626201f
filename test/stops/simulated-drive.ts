import type { Found, TimeSpan } from './score.ts';

/** Where a vehicle truly was in each second, and what it did. Meters are those of its odometer. */
export interface TrueDrive extends Found {
  readonly seconds: readonly TrueSecond[];
}

/** One second of a drive: meters east and north of its start. */
export interface TrueSecond {
  readonly x: number;
  readonly y: number;
  readonly kmh: number;
}

/** When simulated drives begin, epoch seconds. */
export const DRIVE_TS = Date.UTC(2026, 0, 5, 6) / 1_000;

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A day of deliveries in a grid of streets. Stops last 6 to 40 minutes; ways of 1 to 8 km have
 * corners every 150 to 600 m. At half of these are halts of up to 90 s, which are no stops.
 */
export function simulatedDrive(seed: number, count: number): TrueDrive {
  const random = randomOf(seed);
  const seconds: TrueSecond[] = [];
  const stops: TimeSpan[] = [];
  let [x, y, heading, meters] = [0, 0, 0, 0];
  const stand = (forS: number): void => {
    for (let n = 0; n < forS; n += 1) seconds.push({ x, y, kmh: 0 });
  };
  const stop = (forS: number): void => {
    const from = DRIVE_TS + seconds.length;
    stand(forS);
    stops.push({ from, to: DRIVE_TS + seconds.length - 1 });
  };
  const go = (length: number): void => {
    let left = length;
    let speed = 0;
    const top = (30 + random() * 40) / 3.6;
    while (left > 0) {
      speed = Math.min(speed + 1.5, top, Math.sqrt(2 * 1.5 * left) + 0.8);
      const step = Math.min(speed, left);
      x += step * Math.cos(heading);
      y += step * Math.sin(heading);
      left -= step;
      meters += step;
      seconds.push({ x, y, kmh: step * 3.6 });
    }
  };
  for (let n = 0; n < count; n += 1) {
    stop(Math.round(360 + random() * 2_040));
    let way = 1_000 + random() * 7_000;
    while (way > 0) {
      const block = 150 + random() * 450;
      go(block);
      way -= block;
      heading += (random() < 0.5 ? 0 : random() < 0.5 ? 1 : -1) * Math.PI / 2;
      if (random() < 0.5) stand(Math.round(random() * 90));
    }
  }
  stop(1_200);
  return { seconds, stops, trips: between(stops), meters };
}

/** A vehicle that is parked for an hour. */
export function parkedHour(): TrueDrive {
  return {
    seconds: Array.from({ length: 3_600 }, () => ({ x: 0, y: 0, kmh: 0 })),
    stops: [{ from: DRIVE_TS, to: DRIVE_TS + 3_599 }], trips: [], meters: 0,
  };
}

function between(stops: readonly TimeSpan[]): readonly TimeSpan[] {
  return stops.slice(1).map(({ from }, index) => ({ from: stops[index]?.to ?? from, to: from }));
}
