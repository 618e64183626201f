import { retryAfterMs } from '../../kernel/retry-after.ts';
import type { HttpReply } from '../ports.ts';

/** What a client of the interface does next with a request, decided by the status code alone. */
export type NextStep =
  | { readonly step: 'done' }
  | { readonly step: 'refused' }
  | { readonly step: 'renew_token' }
  | { readonly step: 'wait'; readonly ms: number };

/** Waits of a repeating client. */
export interface RepeatConfig {
  readonly backoffFirstMs: number;
  readonly backoffMsMax: number;
  /** Wait after a 429 without Retry-After (interface, Limits: five minutes). */
  readonly throttledMs: number;
}

/** What happened to a request so far. */
export interface PostTries {
  /** Tries that failed so far without a satisfactory answer, this one included. */
  readonly failures: number;
  /** True when this request already got one new token. */
  readonly tokenRenewed: boolean;
  /** Between 0 and 1; spreads the waits of many devices. */
  readonly random: number;
  readonly nowMs: number;
}

/**
 * Interface, Errors, RTT endpoints: 2xx is done; 400 and 403 are never repeated; 429 waits five
 * minutes or what the header says; 500 and a lost answer repeat until satisfactory. A token that
 * ran out is replaced once, since the refused request then becomes another one.
 */
export function decideNext(reply: HttpReply, state: PostTries, config: RepeatConfig): NextStep {
  if (reply.kind === 'lost') return backOff(undefined, state, config);
  const { status, headers } = reply;
  if (status >= 200 && status < 300) return { step: 'done' };
  const askedMs = retryAfterMs(headers['retry-after'], state.nowMs);
  if (status === 429) return { step: 'wait', ms: askedMs ?? config.throttledMs };
  if (status >= 500) return backOff(askedMs, state, config);
  const badToken = status === 401
    || (status === 403 && /\binvalid_token\b/.test(headers['www-authenticate'] ?? ''));
  if (badToken && !state.tokenRenewed) return { step: 'renew_token' };
  return { step: 'refused' };
}

/** First wait doubling to the maximum, of which the upper half is random. */
function backOff(
  askedMs: number | undefined, state: PostTries, config: RepeatConfig,
): NextStep {
  const exponent = Math.min(Math.max(0, state.failures - 1), 30);
  const full = Math.min(config.backoffFirstMs * 2 ** exponent, config.backoffMsMax);
  const jittered = full / 2 + (full / 2) * state.random;
  const asked = Math.min(askedMs ?? 0, config.backoffMsMax);
  return { step: 'wait', ms: Math.round(Math.max(jittered, asked)) };
}
