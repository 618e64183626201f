import type { FeedRead } from '../../schemas/generated/types.ts';
import type { TrackingNumber } from './ids.ts';

/** Read progress of a feed: `shipment.feeds.v1`. */
export type { FeedRead };

/** A feed is that of one shipment at one carrier. */
export interface FeedName {
  /** Party whose feed it is. */
  readonly carrier: string;
  readonly tracking_number: TrackingNumber;
}

/** What only the state store remembers about a feed; losing it changes pace, never content. */
export interface FeedProgress {
  /** Polls that failed since the last that did not. */
  readonly failures: number;
  /** Most items to ask for. */
  readonly itemsMax: number;
}

/** A feed as the state store holds it. */
export interface StoredFeed {
  /** When the carrier authorized the shipment, ms since epoch. */
  readonly opened_at_ms: number;
  /** The number as the carrier wrote it, which is how it is asked about it. */
  readonly spelling: string;
  /** When the shipment was cancelled last, if it was since. */
  readonly cancelled_at_ms: number | undefined;
  /** What was read so far; there is no cursor before the first page. */
  readonly items: number;
  readonly pages: number;
  readonly cursor: string | undefined;
  /** Absent until a poll has ended here. */
  readonly polled: { readonly due_ms: number; readonly progress: FeedProgress } | undefined;
}

/**
 * Feeds of carriers in the state store, with a queue for each carrier by the time at which a feed
 * is due. Every call rejects with `Unavailable` `state_unavailable`; taking and loading also with
 * `state_not_ready`. Any order and repetition of the facts applied ends in the same state.
 */
export interface FeedStates {
  /**
   * Takes up to `feedsMax` feeds of a carrier that are due, by tracking number; each is due again
   * at `nowMs + leaseMs` unless it is rescheduled before: a process that died holds nothing up.
   */
  takeDue(
    carrier: string, nowMs: number, leaseMs: number, feedsMax: number,
  ): Promise<readonly string[]>;
  load(name: FeedName): Promise<StoredFeed | undefined>;
  /** Makes a feed due at another time, and keeps how its last poll ended. */
  reschedule(name: FeedName, dueMs: number, progress: FeedProgress): Promise<void>;
  /** Takes a feed out of its queue. */
  end(name: FeedName): Promise<void>;
  /** Applies that a carrier authorized a shipment: its feed is due from then on. */
  open(name: FeedName, atMs: number, spelling: string): Promise<void>;
  /** Applies that a shipment was cancelled, at whatever carrier. */
  cancel(trackingNumber: TrackingNumber, atMs: number): Promise<void>;
  /** Applies that a page was read. */
  advance(fact: FeedRead): Promise<void>;
}
