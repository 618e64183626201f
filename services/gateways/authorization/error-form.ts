import { CODES } from '../../kernel/codes.ts';
import type { ErrorForm, Refusal } from '../../kernel/http.ts';
import { retryHeaders } from '../common/problem.ts';
import type { AuthorizationError, AuthorizationFailure } from '../../../schemas/generated/types.ts';
import { CALL_ERROR_CODES, DENIAL_ERROR_CODES, fieldErrorCode } from './error-codes.ts';

/**
 * Errors of authorization and cancellation in the interface's own bodies (Errors: Authorization
 * endpoint): `error_code`, `status_message`, `status` with 400, 401 and 403. 500 has the last two
 * alone. These endpoints answer neither 404 nor 429: what is full or missing is theirs.
 */
export const authorizationErrors: ErrorForm = {
  write(refusal) {
    const status = statusOf(refusal);
    return {
      status,
      contentType: 'application/json',
      body: status === 500 ? error(refusal) : failure(refusal, status),
      headers: { ...challengeHeaders(refusal, status), ...headersOfFault(refusal, status) },
    };
  },
};

/** Faults that are shown in `status_message`: the body has no list of them. */
const FAULTS_SHOWN_MAX = 10;

/** Names the faulty field in the endpoint's own table; `body` says which side is the buyer. */
export function explainFields(body: unknown, refusal: Refusal): Refusal {
  const { code, errors = [] } = refusal;
  const [first, ...others] = errors;
  if (code !== 'validation_failed' || first === undefined) return refusal;
  const direction = (body as { direction?: unknown } | null)?.direction;
  const shown = others.slice(0, FAULTS_SHOWN_MAX - 1)
    .map(({ pointer, message }) => `${pointer} ${message}`);
  return {
    ...refusal, detail: [refusal.detail, ...shown].join(' '),
    errorCode: fieldErrorCode(first.pointer, direction === 'return'),
  };
}

function statusOf({ code }: Refusal): number {
  if (code === 'invalid_token') return 401;
  switch (CODES[code].kind) {
    case 'denied': return 403;
    case 'invalid':
    case 'refused': return 400;
    case 'throttled':
    case 'fault':
    case 'poison': return 500;
  }
}

function failure(refusal: Refusal, status: number): AuthorizationFailure {
  return {
    error_code: errorCodeOf(refusal, status), status_message: refusal.detail, status: 'FAILED',
  };
}

function error(refusal: Refusal): AuthorizationError {
  return { status_message: refusal.detail, status: 'ERROR' };
}

function errorCodeOf({ code, errorCode }: Refusal, status: number): string {
  if (status === 401) return DENIAL_ERROR_CODES.unauthorized;
  if (status === 403) return DENIAL_ERROR_CODES.forbidden;
  return errorCode ?? CALL_ERROR_CODES[code] ?? fieldErrorCode('', false);
}

function challengeHeaders({ code }: Refusal, status: number): Readonly<Record<string, string>> {
  if (status !== 401 && status !== 403) return {};
  const error = code === 'insufficient_scope' ? 'insufficient_scope' : 'invalid_token';
  return { 'WWW-Authenticate': `Bearer error="${error}"` };
}

function headersOfFault(refusal: Refusal, status: number): Readonly<Record<string, string>> {
  return status === 500 ? retryHeaders(refusal) : {};
}
