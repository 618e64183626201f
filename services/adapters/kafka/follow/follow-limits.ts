/** Bytes and waits of a process that follows the log as it grows. */
export interface FollowLimits {
  readonly fetchWaitMs: number;
  readonly fetchBytesMax: number;
  /** From one fetch from a broker to the next: what comes meanwhile gathers there. */
  readonly fetchGapMs: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
}

/** Small fetches: what one brings is worked off at once, and nothing else runs meanwhile. */
export const FOLLOW_LIMITS: FollowLimits = {
  fetchWaitMs: 500,
  fetchBytesMax: 1_048_576,
  fetchGapMs: 50,
  backoffMsMin: 50,
  backoffMsMax: 1_000,
};
