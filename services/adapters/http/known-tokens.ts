import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Clock } from '../../kernel/clock.ts';

/**
 * Which tokens were let in recently. It opens nothing: every call is authorized by what the state
 * store says.
 */
export interface KnownTokens {
  /** True when the body of a call with it may be read before the call is authorized. */
  isKnown(tokenHash: string): boolean;
  /** True when it was let in once and not refused since; its address is not asked. */
  wasLetIn(tokenHash: string): boolean;
  letIn(tokenHash: string): void;
  /** The token is no good, or its client is above a limit: look at the head of its next call. */
  forget(tokenHash: string): void;
}

const TOKENS_MAX = 16_384;

/** Remembers tokens for `knownMs` after each call that was let in; the least used go first. */
export function createKnownTokens(knownMs: number, clock: Clock): KnownTokens {
  const letInAtMs = createBoundedCache<string, number>(TOKENS_MAX);
  return {
    isKnown(tokenHash) {
      const atMs = letInAtMs.get(tokenHash);
      return atMs !== undefined && clock.nowMs() - atMs < knownMs;
    },
    wasLetIn: (tokenHash) => letInAtMs.get(tokenHash) !== undefined,
    letIn(tokenHash) {
      letInAtMs.set(tokenHash, clock.nowMs());
    },
    forget(tokenHash) {
      letInAtMs.delete(tokenHash);
    },
  };
}
