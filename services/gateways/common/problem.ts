import { CODES, type Code, type CodeKind } from '../../kernel/codes.ts';
import type { ErrorForm, Refusal } from '../../kernel/http.ts';
import { LISTED_FAULTS_MAX, THROTTLED_RETRY_AFTER_SECONDS } from '../../kernel/limits.ts';
import type { ProblemDetails } from '../../../schemas/generated/types.ts';

const STATUS: Readonly<Record<CodeKind, number>> = {
  invalid: 400, denied: 403, refused: 404, throttled: 429, fault: 500, poison: 500,
};

/** Codes whose status is another one than that of their kind. */
const STATUS_OF_CODE: Partial<Readonly<Record<Code, number>>> = { method_not_allowed: 405 };

// Used when a refusal names no time: short, because the outage may be over at once.
const FAULT_RETRY_AFTER_SECONDS = 2;

// RFC 6750, 3.1: a token for another audience is not good here, a missing scope is its own error.
const CHALLENGES: Readonly<Record<string, string>> = {
  invalid_token: 'Bearer error="invalid_token"',
  wrong_audience: 'Bearer error="invalid_token"',
  insufficient_scope: 'Bearer error="insufficient_scope"',
};

/**
 * Errors of RTT, commands and notifications: RFC 9457 with the fields of decisions.md, Error body.
 * The status follows the kind of the code, but for 405.
 */
export const problemErrors: ErrorForm = {
  write(refusal, requestId, path) {
    const status = STATUS_OF_CODE[refusal.code] ?? STATUS[CODES[refusal.code].kind];
    return {
      status,
      contentType: 'application/problem+json',
      body: problemBody(refusal, status, requestId, path),
      headers: { ...challengeHeaders(refusal), ...retryHeaders(refusal), ...allowHeader(refusal) },
    };
  },
};

/**
 * The common error body. `path` is not repeated in it: a path may hold what a client sent, and the
 * request id names the occurrence better.
 */
export function problemBody(
  refusal: Refusal, status: number, requestId: string, _path: string,
): ProblemDetails {
  return {
    type: `/problems/${refusal.code}`,
    title: CODES[refusal.code].meaning,
    status,
    detail: refusal.detail,
    instance: `urn:rastro:request:${requestId}`,
    message: refusal.detail,
    code: refusal.code,
    errors: (refusal.errors ?? []).slice(0, LISTED_FAULTS_MAX).map((fault) => ({ ...fault })),
    request_id: requestId,
  };
}

/**
 * `Retry-After` in seconds for what may be repeated unchanged; for the rest only where the refusal
 * itself names a time.
 */
export function retryHeaders(refusal: Refusal): Readonly<Record<string, string>> {
  const usual: Partial<Record<CodeKind, number>> = {
    fault: FAULT_RETRY_AFTER_SECONDS, throttled: THROTTLED_RETRY_AFTER_SECONDS,
  };
  const seconds = refusal.retryAfterSeconds ?? usual[CODES[refusal.code].kind];
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

function challengeHeaders(refusal: Refusal): Readonly<Record<string, string>> {
  const challenge = CHALLENGES[refusal.code];
  return challenge === undefined ? {} : { 'WWW-Authenticate': challenge };
}

/** RFC 9110, 15.5.6: 405 names the methods that the path has. */
function allowHeader({ allow }: Refusal): Readonly<Record<string, string>> {
  return allow === undefined ? {} : { Allow: allow.join(', ') };
}
