import { CODES } from '../../kernel/codes.ts';
import type { ErrorForm, Refusal } from '../../kernel/http.ts';
import { problemBody, retryHeaders } from '../common/problem.ts';

const OAUTH_ERRORS: Readonly<Record<string, string>> = {
  invalid_client: 'invalid_client',
  invalid_target: 'unauthorized_client',
  unsupported_grant_type: 'unsupported_grant_type',
};

/**
 * Errors of the token endpoint: the common error body with `error` and `error_description` of RFC
 * 6749 beside it. Every denial is 401 (interface, Errors: Token endpoints).
 */
export const tokenErrors: ErrorForm = {
  write(refusal, requestId, path) {
    const status = statusOf(refusal);
    return {
      status,
      contentType: 'application/problem+json',
      body: {
        ...problemBody(refusal, status, requestId, path),
        error: oauthError(refusal, status),
        error_description: refusal.detail,
      },
      headers: {
        ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm="rastro"' } : {}),
        ...retryHeaders(refusal),
      },
    };
  },
};

/** Errors of revocation keep the contract's own body: `{status, message}` (interface, 3). */
export const revocationErrors: ErrorForm = {
  write(refusal) {
    const status = statusOf(refusal);
    return {
      status,
      contentType: 'application/json',
      body: { status: status === 500 ? 'ERROR' : 'FAILED', message: refusal.detail },
      headers: {
        ...(status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
        ...retryHeaders(refusal),
      },
    };
  },
};

function statusOf(refusal: Refusal): number {
  switch (CODES[refusal.code].kind) {
    case 'invalid': return 400;
    case 'denied': return 401;
    case 'throttled': return 429;
    case 'refused': return 400;
    case 'fault': return 500;
    case 'poison': return 500;
  }
}

function oauthError(refusal: Refusal, status: number): string {
  const grantFault = refusal.errors?.some((fault) => fault.pointer === '/grant_type') ?? false;
  if (grantFault) return 'unsupported_grant_type';
  if (status === 500) return 'server_error';
  if (status === 429) return 'temporarily_unavailable';
  return OAUTH_ERRORS[refusal.code] ?? 'invalid_request';
}
