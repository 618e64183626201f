import type { NaiveFix } from '../support/naive-days/naive-days.ts';

/** Where a vehicle truly was, and what it did. */
export interface TrueDrive {
  readonly seconds: readonly { readonly x: number; readonly y: number; readonly kmh: number }[];
  readonly stops: readonly StopSpan[];
  readonly meters: number;
}

/** From one second to another. */
export interface StopSpan {
  readonly from: number;
  readonly to: number;
}

/** How the fixes of a drive are made. */
export interface Sampling {
  readonly noiseM: number;
  readonly everyS: number;
  readonly reportsSpeed: boolean;
}

const METERS_PER_DEGREE = 111_195;
const HOME = { latitude: -23.5, longitude: -46.6 };
const START_TS = Date.UTC(2026, 0, 5, 6) / 1_000;

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
 * A day of deliveries in a grid of streets. Stops last 6 to 40 minutes; ways of 1 to 8 km have corners
 * every 150 to 600 m. At half of these are halts of up to 90 s, which are no stops.
 */
export function simulatedDrive(seed: number, stops: number): TrueDrive {
  const random = randomOf(seed);
  const seconds: { x: number; y: number; kmh: number }[] = [];
  const found: StopSpan[] = [];
  let [x, y, heading, meters] = [0, 0, 0, 0];
  const stand = (count: number): void => {
    for (let n = 0; n < count; n += 1) seconds.push({ x, y, kmh: 0 });
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
  for (let n = 0; n < stops; n += 1) {
    const from = seconds.length;
    stand(Math.round(360 + random() * 2_040));
    found.push({ from: START_TS + from, to: START_TS + seconds.length - 1 });
    let way = 1_000 + random() * 7_000;
    while (way > 0) {
      const block = 150 + random() * 450;
      go(block);
      way -= block;
      heading += (random() < 0.5 ? 0 : random() < 0.5 ? 1 : -1) * Math.PI / 2;
      if (random() < 0.5) stand(Math.round(random() * 90));
    }
  }
  const from = seconds.length;
  stand(1_200);
  found.push({ from: START_TS + from, to: START_TS + seconds.length - 1 });
  return { seconds, stops: found, meters };
}

/** What a device sends of a drive; the noise is white, no accuracy comes with it. */
export function fixesOfDrive(
  drive: TrueDrive, { noiseM, everyS, reportsSpeed }: Sampling, seed: number,
): readonly NaiveFix[] {
  const random = randomOf(seed);
  const noise = (): number => (
    noiseM * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  );
  return drive.seconds.flatMap(({ x, y, kmh }, second) => {
    if (second % everyS !== 0) return [];
    const degrees = (meters: number): number => meters / METERS_PER_DEGREE;
    return [{
      ts: START_TS + second,
      latitude: round(HOME.latitude + degrees(y + noise())),
      longitude: round(HOME.longitude + degrees(x + noise())
        / Math.cos(HOME.latitude * Math.PI / 180)),
      ...(reportsSpeed ? { speed: Math.max(0, kmh + (kmh === 0 ? 0 : noise() / 10)) } : {}),
    }];
  });
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
