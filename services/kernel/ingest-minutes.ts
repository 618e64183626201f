/** What was accepted in one minute of receipt, of one kind, and how it ended so far. */
export interface IngestMinute {
  readonly minuteMs: number;
  /** What its items are: locations, telemetry_events, deferred_events, … */
  readonly kind: string;
  readonly calls: number;
  /** Items: the outcomes below and `waiting` together. */
  readonly accepted: number;
  /** In a table, or a notification that was applied; repeats of such are counted here too. */
  readonly stored: number;
  readonly outlier: number;
  readonly out_of_order: number;
  readonly ignored_after_final: number;
  readonly disputed: number;
  readonly dead_lettered: number;
  /** Without an outcome: not read yet, or lost. */
  readonly waiting: number;
}

/**
 * Accepted items against their outcomes by minute, from ledger and evidence alone: it costs by
 * record and not by item. Rejects with `Unavailable` `sink_unavailable`.
 */
export interface IngestMinutes {
  /** What was received in [sinceMs, untilMs), milliseconds since epoch, in order of the minutes. */
  find(sinceMs: number, untilMs: number): Promise<readonly IngestMinute[]>;
}
