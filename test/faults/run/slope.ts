/** A value at a time, in hours. */
export interface Point {
  readonly atHours: number;
  readonly value: number;
}

/** What a value gains in an hour, and between which bounds that is with 99 % confidence. */
export interface Slope {
  readonly perHour: number;
  readonly low: number;
  readonly high: number;
}

/** Two-sided, of the normal distribution: none of five processes shall be red by chance. */
const Z_99 = 2.576;

/**
 * The median of the slopes between all pairs of points of one group, after Theil and Sen: some
 * outliers do not move it. Groups are lives of one process, each with a level of its own. The
 * bounds are Sen's, by the variance of Kendall's S summed over the groups. None without pairs.
 */
export function slopeOf(groups: readonly (readonly Point[])[]): Slope | undefined {
  const slopes = groups.flatMap(slopesWithin).toSorted((a, b) => a - b);
  if (slopes.length === 0) return undefined;
  const variance = groups.reduce((sum, { length: n }) => sum + n * (n - 1) * (2 * n + 5) / 18, 0);
  const half = Z_99 * Math.sqrt(variance) / 2;
  const middle = (slopes.length - 1) / 2;
  const at = (place: number): number =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(place)))] ?? 0;
  return { perHour: at(middle), low: at(middle - half), high: at(middle + half) };
}

function slopesWithin(points: readonly Point[]): number[] {
  return points.flatMap((one, nth) => points.slice(nth + 1)
    .filter(({ atHours }) => atHours !== one.atHours)
    .map(({ atHours, value }) => (value - one.value) / (atHours - one.atHours)));
}
