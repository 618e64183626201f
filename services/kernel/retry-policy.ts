/** Waits before something is tried again: they double from the first one up to the longest. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly msMax: number;
  /** Share of a wait, 0 to 1, by which it may be shorter at random; 1 is full jitter. */
  readonly jitter: number;
}

const DOUBLINGS_MAX = 30;

/** The wait after so many failures in a row, in milliseconds; `random` is from 0 up to 1. */
export function retryWaitMs(
  { firstMs, msMax, jitter }: RetryPolicy, failures: number, random = 0,
): number {
  const doublings = Math.min(Math.max(0, failures - 1), DOUBLINGS_MAX);
  const waitMs = Math.min(firstMs * 2 ** doublings, msMax);
  return Math.round(waitMs * (1 - jitter * random));
}
