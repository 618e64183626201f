import type { TrackingNumber } from './ids.ts';

/** The place that a notification names, as far as it is not personal. */
export interface NotifiedPlace {
  readonly country_id?: string;
  readonly city?: string;
  readonly facility?: string;
  readonly agency_id?: string;
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_at_ms: number;
  readonly received_at_ms: number;
}

/** One event of a deferred answer; times are milliseconds since epoch. */
export interface DeferredEventRow {
  readonly name: string;
  readonly start_date_ms: number;
  readonly end_date_ms: number;
  readonly distance?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly metadata: readonly { readonly name: string; readonly value: string }[];
}

/** The newest answer to a command for deferred events. */
export interface DeferredAnswer {
  readonly received_at_ms: number;
  /** Distinct answers to the command; all are kept. */
  readonly answers: number;
  readonly route_distance: number;
  readonly events: readonly DeferredEventRow[];
}

/**
 * What only the tables know of what the platform asks about, a little behind the log. Calls reject
 * with `Unavailable` `sink_unavailable` while the store does not answer.
 */
export interface PlatformHistory {
  /** Of the newest applied notification that names a place. */
  lastPlace(trackingNumber: TrackingNumber): Promise<NotifiedPlace | undefined>;
  /** By the provider that was asked and the `id` of the command. */
  deferredAnswer(provider: string, requestId: string): Promise<DeferredAnswer | undefined>;
}
