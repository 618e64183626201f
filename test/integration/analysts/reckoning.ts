import { expect } from 'vitest';

/** How often each value is there. */
export function tally<T>(all: readonly T[]): ReadonlyMap<T, number> {
  return new Map([...Map.groupBy(all, (each) => each)].map(([each, same]) => [each, same.length]));
}

/** The middle of numbers, or the mean of the two in the middle. */
export function median(all: readonly number[]): number {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The greatest of numbers. */
export function greatest(all: readonly number[]): number {
  return all.reduce((most, each) => Math.max(most, each), -Infinity);
}

/** Equal to a thousandth. */
export function near(value: unknown, expected: number): void {
  expect(Math.abs(Number(value) - expected)).toBeLessThanOrEqual(Math.abs(expected) / 1_000 + 1e-6);
}
