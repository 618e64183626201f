import { quantile } from '../measure/statistics.ts';

/** Median, 95 and 99 of 100 and the most of some times, in ms. */
export function quantilesOf(
  values: readonly number[],
): Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>> {
  const at = (fraction: number): number => (
    Math.round(quantile(values.map((value) => [value, 1] as const), fraction)));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
