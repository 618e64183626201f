import type { NaiveFix } from '../support/naive-fix.ts';
import { DRIVE_TS, randomOf, type TrueDrive } from './simulated-drive.ts';

/** How the fixes of a drive are made. */
export interface Sampling {
  /** Standard deviation of each place, each way. */
  readonly noiseM: number;
  /** In this time the noise loses two thirds of what it was; 0 for white noise. */
  readonly driftS: number;
  readonly everyS: number;
  readonly reportsSpeed: boolean;
}

const METERS_PER_DEGREE = 111_195;
const HOME = { latitude: -23.5, longitude: -46.6 };

/** What a device sends of a drive. */
export function fixesOfDrive(
  drive: TrueDrive, { noiseM, driftS, everyS, reportsSpeed }: Sampling, seed: number,
): readonly NaiveFix[] {
  const random = randomOf(seed);
  const normal = (): number => (
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  );
  const kept = driftS === 0 ? 0 : Math.exp(-everyS / driftS);
  const renewed = Math.sqrt(1 - kept ** 2);
  let [offX, offY] = [normal(), normal()];
  return drive.seconds.flatMap(({ x, y, kmh }, second) => {
    if (second % everyS !== 0) return [];
    offX = kept * offX + renewed * normal();
    offY = kept * offY + renewed * normal();
    return [{
      ts: DRIVE_TS + second,
      latitude: round(HOME.latitude + (y + noiseM * offY) / METERS_PER_DEGREE),
      longitude: round(HOME.longitude + (x + noiseM * offX) / METERS_PER_DEGREE
        / Math.cos(HOME.latitude * Math.PI / 180)),
      ...(reportsSpeed ? { speed: kmh === 0 ? 0 : Math.max(0, kmh + normal()) } : {}),
    }];
  });
}

/** The sampling in words. */
export function nameOf({ noiseM, driftS, everyS, reportsSpeed }: Sampling): string {
  const drift = driftS === 0 ? '' : ', drifting';
  return `${noiseM} m${drift}, every ${everyS} s, ${reportsSpeed ? 'with speed' : 'no speed'}`;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
