import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexedPoint, scoreRanges } from '../../../services/adapters/redis/geo-ranges.ts';

const LATITUDE_MAX = 85.05112878;

/** The score that Redis gives a place: 26 bits of each coordinate, longitude first. */
function scoreOf(longitude: number, latitude: number): number {
  let column = Math.floor(((longitude + 180) / 360) * 2 ** 26);
  let row = Math.floor(((latitude + LATITUDE_MAX) / (2 * LATITUDE_MAX)) * 2 ** 26);
  let score = 0;
  for (let bit = 0, power = 1; bit < 26; bit++, power *= 4) {
    score += power * ((row % 2) + 2 * (column % 2));
    column = Math.floor(column / 2);
    row = Math.floor(row / 2);
  }
  return score;
}

const degrees = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.double({ min: -most, max: most, noNaN: true }), fc.constantFrom(-most, 0, most));

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('the intervals of a box', () => {
  it('hold every place within it, in order and without overlap', () => {
    fc.assert(fc.property(
      degrees(180), degrees(180), degrees(90), degrees(90), fraction, fraction,
      fc.integer({ min: 4, max: 40 }),
      (west, east, a, b, across, up, rangesMax) => {
        const [south, north] = [Math.min(a, b), Math.max(a, b)];
        const ranges = scoreRanges({
          min_longitude: west, max_longitude: east, min_latitude: south, max_latitude: north,
        }, rangesMax);
        expect(ranges.length).toBeLessThanOrEqual(rangesMax);
        ranges.slice(1).forEach((range, i) => {
          expect(range.least).toBeGreaterThan((ranges[i]?.most ?? 0) + 1);
        });
        const width = west <= east ? east - west : east - west + 360;
        const turned = west + width * across;
        const around = turned > 180 ? turned - 360 : turned;
        const longitude = west <= east ? Math.min(turned, east) : around;
        const latitude = Math.min(south + (north - south) * up, north);
        const score = scoreOf(...indexedPoint({ longitude, latitude }));
        expect(ranges.some(({ least, most }) => score >= least && score <= most)).toBe(true);
      },
    ), { numRuns: 500 });
  });

  it('fit a small box closely', () => {
    const box = { min_longitude: 10, max_longitude: 10.01, min_latitude: 50, max_latitude: 50.01 };
    const covered = scoreRanges(box, 32)
      .reduce((sum, { least, most }) => sum + most - least + 1, 0);
    const fraction = (0.01 / 360) * (0.01 / (2 * LATITUDE_MAX)) * 2 ** 52;
    expect(covered / fraction).toBeLessThan(3);
  });
});
