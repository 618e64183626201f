import { isFields } from '../../kernel/json-fields.ts';
import type { AuthorizationTried } from '../../kernel/authorization-calls.ts';
import { retryWaitMs } from '../../kernel/retry-policy.ts';

/** How often and when a carrier is asked again (decisions.md, Authorization retry). */
export interface CallRetry {
  readonly tries_max: number;
  readonly first_wait_seconds: number;
  readonly wait_seconds_max: number;
}

/** The schema of carriers that agreed on no other. */
export const CALL_RETRY: CallRetry = {
  tries_max: 10, first_wait_seconds: 30, wait_seconds_max: 3_600,
};

/** What one try brought, as far as the rules ask. */
export type CallTry =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  | {
    readonly kind: 'lost';
    readonly reason: Exclude<
      AuthorizationTried['reason'],
      'answered' | 'refused' | 'unreadable_answer' | 'cancelled'
    >;
  };

/** What a try means: the part of its fact that follows from it. */
export type CallVerdict = Pick<
  AuthorizationTried,
  'outcome' | 'reason' | 'status' | 'error_code' | 'tracking_number' | 'carrier_client_id' | 'answer'
> & { readonly waitMs?: number };

const NAME_CHARACTERS_MAX = 255;
const NUMBER_CHARACTERS_MAX = 255;

/**
 * Interface, 1 and Errors: 200 with a tracking number is the end. A refused request is parked at
 * once, since repeating it changes nothing. A server problem, a refused token, a limit or silence
 * is tried again by the schema, and parked after the last try.
 */
export function classifyCall(tried: CallTry, attempt: number, retry: CallRetry): CallVerdict {
  if (tried.kind === 'lost') return again({ reason: tried.reason }, attempt, retry);
  const { status, body } = tried;
  const fields = isFields(body) ? body : undefined;
  const answer = fields === undefined ? {} : { answer: fields };
  if (status === 200) {
    const number = fields?.['tracking_number'];
    if (fields?.['status'] === 'AUTHORIZED' && isNumber(number)) {
      return {
        outcome: 'authorized', reason: 'answered', status, tracking_number: number, ...answer,
      };
    }
    return again({ reason: 'unreadable_answer', status, ...answer }, attempt, retry);
  }
  if (status >= 400 && status < 500 && status !== 401 && status !== 429) {
    const code = fields?.['error_code'];
    return {
      outcome: 'parked', reason: 'refused', status, ...answer,
      ...(typeof code === 'string' ? { error_code: code.slice(0, NAME_CHARACTERS_MAX) } : {}),
    };
  }
  return again({ reason: 'answered', status, ...answer }, attempt, retry);
}

/** The wait after so many failed tries, in milliseconds: doubling up to its limit. */
export function waitAfter(attempt: number, retry: CallRetry): number {
  const policy = {
    firstMs: retry.first_wait_seconds * 1_000, msMax: retry.wait_seconds_max * 1_000, jitter: 0,
  };
  return retryWaitMs(policy, attempt);
}

function again(
  what: Pick<CallVerdict, 'reason' | 'status' | 'answer'>, attempt: number, retry: CallRetry,
): CallVerdict {
  if (attempt >= retry.tries_max) return { outcome: 'parked', ...what };
  return { outcome: 'retry', ...what, waitMs: waitAfter(attempt, retry) };
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NUMBER_CHARACTERS_MAX;
}
