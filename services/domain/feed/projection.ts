import type { FeedProgress, FeedRead, StoredFeed } from '../../kernel/feeds.ts';

/** Everything that is kept about one feed; a page may be known before its authorization. */
export interface FeedRecord
  extends Omit<StoredFeed, 'opened_at_ms' | 'spelling' | 'cancelled_at_ms'> {
  readonly opened_at_ms: number | undefined;
  readonly spelling: string | undefined;
}

/** A feed that is not known. */
export const UNKNOWN_FEED: FeedRecord = {
  opened_at_ms: undefined, spelling: undefined, items: 0, pages: 0, cursor: undefined,
  polled: undefined,
};

/** A carrier authorized the shipment: the newest time counts. */
export function foldOpened(feed: FeedRecord, atMs: number, spelling: string): FeedRecord {
  const { opened_at_ms: keptMs = -Infinity, spelling: kept = '' } = feed;
  const isNewer = atMs > keptMs || (atMs === keptMs && spelling > kept);
  return isNewer ? { ...feed, opened_at_ms: atMs, spelling } : feed;
}

/** A page was read: the most items count, then the most pages. */
export function foldRead(feed: FeedRecord, { items, pages, cursor }: FeedRead): FeedRecord {
  const isFurther = feed.cursor === undefined
    || items > feed.items || (items === feed.items && pages > feed.pages);
  return isFurther ? { ...feed, items, pages, cursor } : feed;
}

/** The end of a poll, which is remembered of a known feed only. */
export function foldPolled(
  feed: FeedRecord, due_ms: number, progress: FeedProgress,
): FeedRecord {
  return feed === UNKNOWN_FEED ? feed : { ...feed, polled: { due_ms, progress } };
}

/** A shipment was cancelled: the newest time counts. */
export function foldCancelled(keptMs: number | undefined, atMs: number): number {
  return Math.max(keptMs ?? -Infinity, atMs);
}

/** A feed as it is polled; undefined before its authorization. */
export function storedFeedOf(
  feed: FeedRecord, cancelled_at_ms: number | undefined,
): StoredFeed | undefined {
  const { opened_at_ms, spelling } = feed;
  return opened_at_ms === undefined || spelling === undefined
    ? undefined
    : { ...feed, opened_at_ms, spelling, cancelled_at_ms };
}
