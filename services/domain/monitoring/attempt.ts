import type { ProviderCommandResult } from '../../kernel/commands.ts';
import { retryWaitMs } from '../../kernel/retry-policy.ts';

/** What one try brought, as far as the rules ask. Redirects are answers: they are not followed. */
export type Try =
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'lost'; readonly reason: 'timeout' | 'network' }
  | { readonly kind: 'no_token'; readonly reason: 'token_refused' | 'token_unavailable' };

/** Waits of the retry rules, in milliseconds (decisions.md, Command retry). */
export interface RetryConfig {
  readonly backoffFirstMs: number;
  readonly backoffMsMax: number;
  readonly throttledMs: number;
}

/** What happened to the command so far. `random` is from 0 up to 1. */
export interface TryState {
  /** Attempts so far, this one included. */
  readonly attempt: number;
  /** True when this attempt already got one new token. */
  readonly isTokenNew: boolean;
  readonly random: number;
}

/** What is done next with a command. */
export type Verdict =
  | { readonly step: 'renew_token' }
  | {
    readonly step: 'end';
    readonly outcome: Exclude<ProviderCommandResult['outcome'], 'retry' | 'cancelled' | 'expired'>;
  }
  | {
    readonly step: 'retry';
    readonly waitMs: number;
    readonly reason: ProviderCommandResult['reason'];
  };

/** Never sends again faster than this, whatever the dice say. */
const WAIT_MS_MIN = 100;

/**
 * Interface, Errors: Provider commands (5), by the status alone: 200 is done, 400 waits for an
 * operator, 403 is over, 500 is repeated forever. The interface leaves out the rest. We treat
 * another 4xx as 400. Another 5xx, a lost answer and a redirect are as 500. 429 waits five minutes.
 * 401 gets one new token and is then as 403. Without a token of our own nothing is known of the
 * command: as 500.
 */
export function classifyTry(tried: Try, state: TryState, config: RetryConfig): Verdict {
  if (tried.kind !== 'answer') return backOff(tried.reason, state, config);
  const { status } = tried;
  if (status >= 200 && status < 300) return { step: 'end', outcome: 'done' };
  if (status >= 300 && status < 400) return backOff('redirect', state, config);
  if (status === 401) {
    return state.isTokenNew ? { step: 'end', outcome: 'ended' } : { step: 'renew_token' };
  }
  if (status === 403) return { step: 'end', outcome: 'ended' };
  if (status === 429) {
    return { step: 'retry', waitMs: config.throttledMs, reason: 'throttled' };
  }
  if (status >= 400 && status < 500) return { step: 'end', outcome: 'refused' };
  return backOff('answered', state, config);
}

/** Full jitter: anything up to the doubled wait, so that many commands never come back at once. */
function backOff(
  reason: ProviderCommandResult['reason'], { attempt, random }: TryState, config: RetryConfig,
): Verdict {
  const policy = { firstMs: config.backoffFirstMs, msMax: config.backoffMsMax, jitter: 1 };
  const waitMs = retryWaitMs(policy, attempt, 1 - random);
  return { step: 'retry', waitMs: Math.max(WAIT_MS_MIN, waitMs), reason };
}
