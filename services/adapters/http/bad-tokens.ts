import { sourceOf } from '../../kernel/address-source.ts';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Clock } from '../../kernel/clock.ts';

/** How many tokens that are not good an address may try. */
export interface BadTokensConfig {
  readonly badTokensPerMinute: number;
  /** How many it may try at once. */
  readonly badTokensBurst: number;
}

/** Counts the tokens of each address that were not good, and says which tokens wait. */
export interface BadTokens {
  /** Seconds until the address may try this token, which was never let in; 0 when at once. */
  waitSeconds(address: string, tokenHash: string): number;
  /** The token was not good. */
  count(address: string, tokenHash: string): void;
  /** A call was let in, which makes up for a bad token of its address; asked only when needed. */
  makeUp(addressOf: () => string): void;
}

const MINUTE_MS = 60_000;
const ADDRESSES_MAX = 65_536;
const WAITING_MAX = 65_536;

/**
 * Makes the count of one gateway. A token that waited as it was asked to is checked when it comes
 * again, whatever came from its address meanwhile, so that a good one waits once. Bad ones that did
 * that have a count of their own: invented tokens do not come again, and those that do are bounded.
 * All of it is in memory and bounded: to ask a store about strangers would be work done for them.
 */
export function createBadTokens(config: BadTokensConfig, clock: Clock): BadTokens {
  const firstTries = createCounts(config, clock);
  const secondTries = createCounts(config, clock);
  const dueAtMs = createBoundedCache<string, number>(WAITING_MAX);
  return {
    waitSeconds(address, tokenHash) {
      const waitMs = firstTries.waitMs(address);
      if (waitMs === 0) return 0;
      const nowMs = clock.nowMs();
      const dueMs = dueAtMs.get(tokenHash) ?? nowMs + waitMs;
      dueAtMs.set(tokenHash, dueMs);
      return Math.ceil((dueMs > nowMs ? dueMs - nowMs : secondTries.waitMs(address)) / 1_000);
    },
    count(address, tokenHash) {
      const dueMs = dueAtMs.get(tokenHash) ?? Infinity;
      dueAtMs.delete(tokenHash);
      (dueMs > clock.nowMs() ? firstTries : secondTries).count(address);
    },
    makeUp: (addressOf) => { firstTries.makeUp(addressOf); },
  };
}

interface Counts {
  /** Until the address has room for one more; 0 when it has. */
  waitMs(address: string): number;
  count(address: string): void;
  makeUp(addressOf: () => string): void;
}

/**
 * By GCRA: the time at which an address (of IPv6 its /64 network) has tried nothing any more. Calls
 * that were in flight when the limit was reached do not prolong the wait.
 */
function createCounts(
  { badTokensPerMinute, badTokensBurst }: BadTokensConfig, clock: Clock,
): Counts {
  const intervalMs = MINUTE_MS / badTokensPerMinute;
  const windowMs = intervalMs * badTokensBurst;
  const emptyAtMs = createBoundedCache<string, number>(ADDRESSES_MAX);
  let allEmptyAtMs = 0;
  return {
    waitMs: (address) => Math.max(
      0, (emptyAtMs.get(sourceOf(address)) ?? 0) + intervalMs - windowMs - clock.nowMs(),
    ),
    count(address) {
      const nowMs = clock.nowMs();
      const source = sourceOf(address);
      const fuller = Math.max(emptyAtMs.get(source) ?? 0, nowMs) + intervalMs;
      const next = Math.min(fuller, nowMs + windowMs);
      emptyAtMs.set(source, next);
      allEmptyAtMs = Math.max(allEmptyAtMs, next);
    },
    makeUp(addressOf) {
      const nowMs = clock.nowMs();
      if (allEmptyAtMs <= nowMs) return;
      const source = sourceOf(addressOf());
      const own = emptyAtMs.get(source);
      if (own !== undefined && own > nowMs) emptyAtMs.set(source, own - intervalMs);
    },
  };
}
