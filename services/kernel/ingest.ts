import type { ClientId } from './ids.ts';

/** Items by how they ended; every item is in exactly one of these. */
export interface ItemOutcomes {
  /** Has a row of its own, or is a notification that was applied. */
  readonly stored: number;
  /** Said what was known already. */
  readonly duplicate: number;
  /** Its time is out of range; kept apart. */
  readonly outlier: number;
  /** A notification older than what was applied. */
  readonly out_of_order: number;
  /** A notification of a finished shipment. */
  readonly ignored_after_final: number;
  /** A notification of a number that is another carrier's; kept apart. */
  readonly disputed: number;
  readonly dead_lettered: number;
}

/** Outcome of one record of an accepted call, with its topic and offset. */
export interface RecordOutcome {
  /** What its items are: locations, telemetry_events, deferred_events, … */
  readonly kind: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received_at_ms: number;
  /** Items that were accepted with it: outcomes and `waiting` together. */
  readonly items: number;
  readonly outcomes: ItemOutcomes;
  /** How many items are outliers for each reason, of those that had not been sent before. */
  readonly outlierReasons: Readonly<Record<string, number>>;
  /** Items without an outcome: not done yet, or written and not found again. */
  readonly waiting: number;
  /** The rule that gave a notification its outcome. */
  readonly rule: string | undefined;
  /** True when the catalogue does not know the code of a notification. */
  readonly unmapped: boolean;
  /** Why items are dead letters: the step that failed, and its code. */
  readonly deadLetter: { readonly stage: string; readonly code: string } | undefined;
}

/** A call that was accepted, by what the ledger has of its records. */
export interface AcceptedCall {
  readonly ingestId: string;
  readonly received_at_ms: number;
  /** What its items are: locations, telemetry_events, … */
  readonly kind: string;
  /** Of the path of the call; empty for notifications. */
  readonly provider: string;
  readonly items: number;
}

/** Finds the item outcomes of accepted calls. Rejects with `Unavailable` `sink_unavailable`. */
export interface ItemOutcomeReader {
  /**
   * The records of a call in the order of the log, at most 1,000; none while nothing is known of
   * it, and none for a call of another client. Without a client, a call of any.
   */
  find(clientId: ClientId | undefined, ingestId: string): Promise<readonly RecordOutcome[]>;
  /** The newest calls of a client since then, the newest first, at most so many. */
  newest(
    clientId: ClientId, since: { readonly sinceMs: number; readonly limit: number },
  ): Promise<readonly AcceptedCall[]>;
}

/** What cannot be explained of a span of time; all 0 in health. */
export interface Unexplained {
  /** Items that were read and have no outcome. */
  readonly items: number;
  /** Records of the log that were never read, though later ones were. */
  readonly unreadRecords: number;
}

/**
 * Compares accepted items with their outcomes. Rejects with `Unavailable`
 * `sink_unavailable`.
 */
export interface IngestAudit {
  /** For what was received in [sinceMs, untilMs), milliseconds since epoch. */
  unexplained(sinceMs: number, untilMs: number): Promise<Unexplained>;
}
