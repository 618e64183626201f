import fc from 'fast-check';
import type { NaiveFix } from './naive-fix.ts';

/** One stretch of a day of a device. */
interface DrivePart {
  readonly kind: 'drive' | 'stand' | 'hold' | 'silence' | 'jump' | 'zero' | 'double' | 'noise';
  readonly fixes: number;
  readonly everyS: number;
  readonly kmh: number;
  readonly reportsSpeed: boolean;
}

const drivePart: fc.Arbitrary<DrivePart> = fc.record({
  kind: fc.constantFrom(
    'drive', 'drive', 'stand', 'hold', 'silence', 'jump', 'zero', 'double', 'noise', 'noise',
  ),
  fixes: fc.integer({ min: 1, max: 12 }),
  everyS: fc.constantFrom(1, 5, 10, 11, 60, 299, 300, 301),
  kmh: fc.constantFrom(4, 6, 30, 90, 140),
  reportsSpeed: fc.boolean(),
});

/** Stretches of one device, from the evening before midnight UTC on. */
export const driveParts = fc.array(drivePart, { minLength: 3, maxLength: 12 });

const METERS_PER_DEGREE = 111_195;

/** The fixes of the stretches in the order of their time, from `startTs` on. */
export function fixesOf(all: readonly DrivePart[], startTs: number): readonly NaiveFix[] {
  const fixes: NaiveFix[] = [];
  let ts = startTs;
  let latitude = -23.5;
  let odometer = 1_000;
  const add = (over: Partial<NaiveFix> = {}): void => {
    fixes.push({ ts, latitude: round(latitude), longitude: -46.625, odometer, ...over });
  };
  for (const { kind, fixes: count, everyS, kmh, reportsSpeed } of all) {
    const speed = reportsSpeed ? { speed: kind === 'stand' ? 0 : kmh } : {};
    if (kind === 'silence') ts += 880 + everyS;
    if (kind === 'jump') add({ latitude: 12.25, ...speed });
    if (kind === 'noise') {
      for (let n = 1; n <= 20 * count; n += 1) {
        ts += Math.min(everyS, 11);
        add({ latitude: round(latitude + (n * 7 % 11 - 5) * kmh * 1e-6) });
      }
      continue;
    }
    for (let n = 1; n <= count && kind !== 'silence' && kind !== 'jump'; n += 1) {
      ts += everyS;
      const isMoving = kind === 'drive' || (kind === 'hold' && n === count) || kind === 'double';
      const meters = kmh / 3.6 * everyS * (kind === 'hold' ? Math.min(count, 5) : 1);
      if (isMoving) {
        latitude += meters / METERS_PER_DEGREE;
        odometer += Math.round(meters) / 1024;
      }
      add({ ...speed, ...(kind === 'zero' ? { latitude: 0, longitude: 0 } : {}) });
      if (kind === 'double') add({ ...speed, latitude: round(latitude - 0.001) });
    }
  }
  ts += 7;
  add();
  return fixes;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
