import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Clock } from '../../kernel/clock.ts';

/** How many tokens that are not good an address may try. */
export interface BadTokensConfig {
  readonly badTokensPerMinute: number;
  /** How many it may try at once. */
  readonly badTokensBurst: number;
}

/** Counts the tokens of each address that were not good. */
export interface BadTokens {
  /** Seconds until the address may try another token that was never let in; 0 when at once. */
  waitSeconds(address: string): number;
  count(address: string): void;
}

const MINUTE_MS = 60_000;
const ADDRESSES_MAX = 65_536;

/**
 * Makes the count of one gateway, by GCRA: the time at which an address has tried nothing any more.
 * It is in memory and bounded: to ask a store about strangers would be work done for them.
 */
export function createBadTokens(
  { badTokensPerMinute, badTokensBurst }: BadTokensConfig, clock: Clock,
): BadTokens {
  const intervalMs = MINUTE_MS / badTokensPerMinute;
  const windowMs = intervalMs * badTokensBurst;
  const emptyAtMs = createBoundedCache<string, number>(ADDRESSES_MAX);
  return {
    waitSeconds(address) {
      const tooFullMs = (emptyAtMs.get(address) ?? 0) + intervalMs - windowMs - clock.nowMs();
      return tooFullMs <= 0 ? 0 : Math.ceil(tooFullMs / 1_000);
    },
    count(address) {
      const nowMs = clock.nowMs();
      emptyAtMs.set(address, Math.max(emptyAtMs.get(address) ?? 0, nowMs) + intervalMs);
    },
  };
}
