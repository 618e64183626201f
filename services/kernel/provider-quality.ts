/** How good what a provider sent is, over some days of receipt, as `v_provider_quality` has it. */
export interface ProviderScore {
  readonly provider: string;
  /** Devices of which a fix was received. */
  readonly devices: number;
  readonly fixes: number;
  /** Receipt minus own time of the fix, seconds: median, and exceeded by 5 and 1 of 100. */
  readonly latency_p50_s: number;
  readonly latency_p95_s: number;
  readonly latency_p99_s: number;
  /** Fixes more than 5 minutes ahead of their receipt, over 24 hours old then, and at 0,0. */
  readonly future: number;
  readonly stale: number;
  readonly zero_position: number;
  /** Accepted fixes that were known already, or whose time is out of range. */
  readonly duplicates: number;
  readonly outliers: number;
  /** Fixes older than one that an earlier call of the day brought of their device. */
  readonly out_of_order: number;
  /** Silences of over 15 minutes in the fixes received of a device on one day. */
  readonly gaps: number;
  /** Devices whose clock is estimated over 60 seconds off. */
  readonly devices_off: number;
}

/** Scores of providers over whole days, from `sinceMs` to before `untilMs`. */
export interface ProviderScores {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly scores: readonly ProviderScore[];
}

/** Days that a score is of, at most. */
export const SCORE_DAYS_MAX = 7;

/** Reads how good what providers sent is. Rejects with `Unavailable` `sink_unavailable`. */
export interface ProviderQuality {
  /**
   * The scores of these providers over the newest days in a row that are computed, at most
   * {@link SCORE_DAYS_MAX}; undefined while there is none. The day that is not over is left out, so
   * that it costs the same whatever is sent.
   */
  find(providers: readonly string[]): Promise<ProviderScores | undefined>;
}
