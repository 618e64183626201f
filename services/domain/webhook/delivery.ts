import type { LostReason } from '../../kernel/lost-reason.ts';
import { retryWaitMs } from '../../kernel/retry-policy.ts';

/** How often and how long a delivery is tried (docs/reference/webhooks.md). */
export interface DeliveryRetry {
  readonly firstMs: number;
  readonly msMax: number;
  /** Share of a wait by which it may be shorter at random, 0 to 1. */
  readonly jitter: number;
  /** A delivery whose first try is so long ago is parked when it fails again. */
  readonly triedMsMax: number;
  /** The longest wait that a receiver may ask for. */
  readonly retryAfterMsMax: number;
}

/** What one try brought. */
export type DeliveryTry =
  | {
    readonly kind: 'answer'; readonly status: number; readonly retryAfterMs: number | undefined;
  }
  | { readonly kind: 'lost'; readonly reason: LostReason | 'secret_unreadable' };

/** What is known of the tries before. */
export interface TriedBefore {
  readonly failures: number;
  /** When the first try began, ms since epoch. */
  readonly sinceMs: number;
}

/** A try that did not deliver. */
export interface DeliveryFailure {
  readonly outcome: 'retry' | 'parked';
  readonly reason: 'answered' | 'gone' | 'secret_unreadable' | LostReason;
  readonly status?: number;
  /** Tries so far. */
  readonly failures: number;
  readonly sinceMs: number;
  /** The wait until the next try; 0 where there is none. */
  readonly waitMs: number;
  /** How long the receiver wants to be left alone, where it said so. */
  readonly holdMs?: number;
}

/** What a try means. */
export type DeliveryVerdict =
  | { readonly outcome: 'delivered'; readonly status: number; readonly failures: number }
  | DeliveryFailure;

const BUSY: ReadonlySet<number> = new Set([429, 503]);
const GONE = 410;

/**
 * Any 2xx is a delivery. 410 says that the receiver wants no more: parked at once. Everything else,
 * also a redirect, which is not followed, is tried again with waits that double, for as long as
 * was agreed; then it is parked.
 */
export function classifyDelivery(
  config: DeliveryRetry, tried: DeliveryTry, before: TriedBefore, nowMs: number, random: number,
): DeliveryVerdict {
  const failures = before.failures + 1;
  const kept = { failures, sinceMs: before.sinceMs };
  const isOver = nowMs - before.sinceMs >= config.triedMsMax;
  const waitMs = isOver ? 0 : retryWaitMs(config, failures, random);
  const outcome = isOver ? 'parked' : 'retry';
  if (tried.kind === 'lost') return { outcome, reason: tried.reason, ...kept, waitMs };
  const { status } = tried;
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, failures };
  if (status === GONE) return { outcome: 'parked', reason: 'gone', status, ...kept, waitMs: 0 };
  const failed = { outcome, reason: 'answered', status, ...kept } as const;
  if (!BUSY.has(status) || tried.retryAfterMs === undefined) return { ...failed, waitMs };
  const holdMs = Math.min(tried.retryAfterMs, config.retryAfterMsMax);
  return { ...failed, waitMs: isOver ? 0 : Math.max(waitMs, holdMs), holdMs };
}
