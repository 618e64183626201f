import { bucketAt } from '../domain/quota/gcra.ts';
import type { Ask, KitReply } from './talk.ts';

/** How fast the kit may ask. */
export interface PaceConfig {
  /** Token requests in a minute, and as many at once; 0 for no pace. */
  readonly tokensPerMinute: number;
}

/** Keeps the kit below the limits of a counterpart. */
export interface Pace {
  /** Milliseconds to wait before this request; 0 takes its place among those of a minute. */
  waitMs(ask: Ask, nowMs: number): number;
  /** Learns from what an answer says of the limits. */
  learn(reply: KitReply, nowMs: number): void;
}

const MINUTE_MS = 60_000;
/** Fewer calls than this that are left are those of a check that sends several at once. */
const LEFT_MIN = 10;

/**
 * Token requests have a limit that no answer shows, so they are counted; of all other calls the
 * headers of `RateLimit` say how many are left, and until when.
 */
export function createPace({ tokensPerMinute }: PaceConfig): Pace {
  const rate = { interval: MINUTE_MS / tokensPerMinute, burst: tokensPerMinute };
  let tokensEmptyAtMs: number | undefined;
  let heldUntilMs = 0;

  function tokenWaitMs(nowMs: number): number {
    if (tokensPerMinute === 0) return 0;
    const bucket = bucketAt(tokensEmptyAtMs, nowMs, rate);
    if (!bucket.fits(1)) return Math.ceil(bucket.waitFor());
    tokensEmptyAtMs = bucket.emptyAtAfter(1);
    return 0;
  }

  return {
    waitMs: (ask, nowMs) => ask.path === '/oauth/token'
      ? tokenWaitMs(nowMs)
      : Math.max(0, heldUntilMs - nowMs),
    learn(reply, nowMs) {
      const left = numberIn(reply.header('ratelimit-remaining'));
      const seconds = numberIn(reply.header('ratelimit-reset'));
      if (reply.status === 429 || left === undefined || seconds === undefined) return;
      if (left < LEFT_MIN) heldUntilMs = Math.max(heldUntilMs, nowMs + seconds * 1_000);
    },
  };
}

function numberIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
