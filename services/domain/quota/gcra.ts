/** How fast a bucket fills again, and how much fits into it. Times of any one unit. */
export interface RateLimit {
  readonly interval: number;
  readonly burst: number;
}

/** A bucket at one moment. */
export interface Bucket {
  readonly burst: number;
  fits(cost: number): boolean;
  /** When it is empty again after this cost: all that has to be kept. */
  emptyAtAfter(cost: number): number;
  remaining(): number;
  /** Time until it is empty again. */
  fullAgainIn(): number;
  /** Time until one more fits. */
  waitFor(): number;
}

/**
 * A limit by GCRA: one number is kept, the time at which the bucket is empty again. The script
 * `gcra.lua` says the same, held to this by a property test. A clock that was set back locks no
 * client out for longer than the window or `lockMax`; a cost above the burst fits into a full
 * bucket.
 */
export function bucketAt(
  kept: number | undefined, now: number, { interval, burst }: RateLimit, lockMax = 0,
): Bucket {
  const window = interval * burst;
  const latest = now + Math.max(window, lockMax);
  const emptyAt = Math.min(Math.max(kept ?? now, now), latest);
  return {
    burst,
    fits: (cost) => emptyAt - now + Math.min(cost, burst) * interval <= window,
    emptyAtAfter: (cost) => emptyAt + cost * interval,
    remaining: () => Math.max(Math.floor((window - (emptyAt - now)) / interval), 0),
    fullAgainIn: () => emptyAt - now,
    waitFor: () => emptyAt - now + interval - window,
  };
}
