/** The middle value; the mean of the two middle ones where there are two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? Number.NaN, sorted[Math.floor(half)]];
  return (low + (high ?? low)) / 2;
}

/** The value below which the share lies, of values with how often each was seen. */
export function quantile(counted: Iterable<readonly [number, number]>, fraction: number): number {
  const sorted = [...counted].toSorted(([one], [other]) => one - other);
  const wanted = sorted.reduce((sum, [, times]) => sum + times, 0) * fraction;
  let seen = 0;
  for (const [value, times] of sorted) {
    seen += times;
    if (seen >= wanted) return value;
  }
  return Number.NaN;
}
