/** Wrong secrets that were counted, and when the wait after the last one ends. */
export interface Failures {
  readonly count: number;
  readonly waitEndsMs: number;
}

/** How many failures are free, and the waits after them. */
export interface FailureLimit {
  readonly free: number;
  readonly delayMsMin: number;
  readonly delayMsMax: number;
}

/** Failures beyond the free ones that still double the wait. */
const DOUBLINGS_MAX = 64;

/**
 * One more wrong secret: each failure beyond the free ones doubles the wait. While a wait runs,
 * further failures count no more. The script `record-token-failure.lua` says the same, held to this
 * by a property test.
 */
export function afterFailure(
  kept: Failures, nowMs: number, { free, delayMsMin, delayMsMax }: FailureLimit,
): { readonly failures: Failures; readonly waitMs: number } {
  const waitEndsMs = Math.min(kept.waitEndsMs, nowMs + delayMsMax);
  if (waitEndsMs > nowMs) return { failures: kept, waitMs: waitEndsMs - nowMs };
  const count = Math.min(kept.count + 1, free + DOUBLINGS_MAX);
  const beyond = count - free;
  const waitMs = beyond > 0 ? Math.min(delayMsMin * 2 ** (beyond - 1), delayMsMax) : 0;
  return { failures: { count, waitEndsMs: nowMs + waitMs }, waitMs };
}
