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
  letIn(tokenHash: string, clientId: string): void;
  /** The client of a token that was let in; undefined when it is not known. */
  clientOf(tokenHash: string): string | undefined;
  /** The token is no good, or its client is above a limit: look at the head of its next call. */
  forget(tokenHash: string): void;
}

const TOKENS_MAX = 16_384;

/** Remembers tokens for `knownMs` after each call that was let in; the least used go first. */
export function createKnownTokens(knownMs: number, clock: Clock): KnownTokens {
  const known = createBoundedCache<string, { clientId: string; atMs: number }>(TOKENS_MAX);
  return {
    isKnown(tokenHash) {
      const atMs = known.get(tokenHash)?.atMs;
      return atMs !== undefined && clock.nowMs() - atMs < knownMs;
    },
    wasLetIn: (tokenHash) => known.get(tokenHash) !== undefined,
    clientOf: (tokenHash) => known.get(tokenHash)?.clientId,
    letIn(tokenHash, clientId) {
      known.set(tokenHash, { clientId, atMs: clock.nowMs() });
    },
    forget(tokenHash) {
      known.delete(tokenHash);
    },
  };
}
