import type { FeedProgress, StoredFeed } from '../../kernel/feeds.ts';
import type { LostReason } from '../../kernel/lost-reason.ts';
import { retryWaitMs } from '../../kernel/retry-policy.ts';

/** How often and how much is asked (decisions.md, Pull feed). */
export interface PollConfig {
  /** Wait of a feed that was read completely. */
  readonly periodMs: number;
  /** Wait of a feed that its carrier does not know yet. */
  readonly unknownMs: number;
  /** Share of a wait by which it is longer or shorter at random, 0 to 1. */
  readonly jitterRatio: number;
  /** Wait after a failure; it doubles. Not below the period: a failing feed is asked less often. */
  readonly backoffFirstMs: number;
  readonly backoffMsMax: number;
  /** Wait after a 429 that names none, and the longest that one may name. */
  readonly throttledMs: number;
  readonly retryAfterMsMax: number;
  /** Items asked for at a time. */
  readonly pageItemsMax: number;
  /** A feed is left so long after its shipment was authorized. */
  readonly openMsMax: number;
}

/** What one poll brought, as far as the rules ask. */
export type PollTry =
  | { readonly kind: 'page'; readonly items: number; readonly hasMore: boolean }
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'too_large' | 'unreadable' | 'stuck' }
  | { readonly kind: 'lost'; readonly reason: LostReason | 'token_unavailable' };

/** How a poll ended; a bounded set, so that it may label a metric. */
export type PollOutcome =
  | 'items' | 'empty' | 'unknown' | 'throttled' | 'refused' | 'failed' | 'too_large' | 'unreadable'
  | 'stuck' | LostReason | 'token_unavailable';

/** What a poll means. */
export interface PollVerdict {
  readonly outcome: PollOutcome;
  readonly waitMs: number;
  readonly progress: FeedProgress;
  /** How long to poll no feed of this carrier. */
  readonly holdMs?: number;
}

/** Why a feed is left for good. */
export type FeedEnd = 'final' | 'cancelled' | 'expired';

const ASKED_LESS_BY = 4;

/** Why a feed is not to be polled any more; undefined while it is. */
export function endOf(
  config: Pick<PollConfig, 'openMsMax'>, feed: StoredFeed, isFinal: boolean, nowMs: number,
): FeedEnd | undefined {
  if (isFinal) return 'final';
  const { cancelled_at_ms, opened_at_ms } = feed;
  if (cancelled_at_ms !== undefined && cancelled_at_ms >= opened_at_ms) return 'cancelled';
  return nowMs >= opened_at_ms + config.openMsMax ? 'expired' : undefined;
}

/**
 * A page with more behind it is followed at once. What the carrier does not know yet is asked for
 * slowly. Everything else is a failure: waits double up to their limit, all with jitter; and a wait
 * that the carrier itself asks for is never cut short.
 */
export function classifyPoll(
  config: PollConfig, tried: PollTry, progress: FeedProgress, random: number,
): PollVerdict {
  const spread = (waitMs: number): number =>
    Math.round(waitMs * (1 + config.jitterRatio * (2 * random - 1)));
  const fresh = { failures: 0, itemsMax: config.pageItemsMax };
  if (tried.kind === 'page') {
    const outcome = tried.items > 0 ? 'items' : 'empty';
    if (tried.hasMore) return { outcome, waitMs: 0, progress: { ...progress, failures: 0 } };
    return { outcome, waitMs: spread(config.periodMs), progress: fresh };
  }
  if (tried.kind === 'answer' && tried.status === 404) {
    return { outcome: 'unknown', waitMs: spread(config.unknownMs), progress: fresh };
  }
  if (tried.kind === 'too_large' && progress.itemsMax > 1) {
    return { outcome: 'too_large', waitMs: 0, progress: askingLess(progress) };
  }
  const failures = progress.failures + 1;
  const policy = { firstMs: config.backoffFirstMs, msMax: config.backoffMsMax, jitter: 0 };
  const waitMs = spread(retryWaitMs(policy, failures));
  const failed = { waitMs, progress: { ...progress, failures } };
  if (tried.kind === 'lost') return { outcome: tried.reason, ...failed };
  if (tried.kind !== 'answer') return { outcome: tried.kind, ...failed };
  const askedMs = Math.min(tried.retryAfterMs ?? 0, config.retryAfterMsMax);
  if (tried.status !== 429) {
    const isRefused = tried.status >= 400 && tried.status < 500;
    return {
      outcome: isRefused ? 'refused' : 'failed', ...failed, waitMs: Math.max(waitMs, askedMs),
    };
  }
  const holdMs = tried.retryAfterMs === undefined ? config.throttledMs : askedMs;
  const later = Math.round(holdMs * (1 + config.jitterRatio * random));
  return { outcome: 'throttled', ...failed, waitMs: Math.max(waitMs, later), holdMs };
}

/** For a page that was too much, for the carrier's answer or for the time that the log had. */
export function askingLess({ failures, itemsMax }: FeedProgress): FeedProgress {
  return { failures, itemsMax: Math.max(1, Math.floor(itemsMax / ASKED_LESS_BY)) };
}

/**
 * How long to delay an old feed without a known poll: the state store was lost,
 * or the carrier was not polled before. Polling all of those at once would be a flood.
 */
export function putOffMs(
  config: Pick<PollConfig, 'periodMs'>, feed: StoredFeed, nowMs: number, random: number,
): number {
  const isOld = nowMs - feed.opened_at_ms > config.periodMs;
  return feed.polled === undefined && isOld ? Math.round(config.periodMs * random) : 0;
}
