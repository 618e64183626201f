import type { Operation, Refusal } from '../../../kernel/http.ts';
import { bearerToken } from './headers.ts';

/** Schemes that are named when they are sent; any other first word may be the secret itself. */
const SCHEMES = ['basic', 'token', 'apikey', 'digest', 'negotiate', 'jwt', 'oauth'];
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** Why a call has no token that could be looked for, and what is needed. Never repeats a secret. */
export function tokenFault(header: string | undefined, operation: Operation): Refusal {
  return {
    code: 'invalid_token',
    detail: `${whatIsWrong(header)}; send Authorization: Bearer and an access token of audience`
      + ` ${operation.audience ?? ''}, which POST /oauth/token gives.`,
  };
}

function whatIsWrong(header: string | undefined): string {
  if (header === undefined) return 'The header Authorization is missing';
  const token = bearerToken(header);
  if (token === undefined) {
    const scheme = /^[A-Za-z]+(?= |$)/.exec(header)?.[0];
    const isKnown = scheme !== undefined && SCHEMES.includes(scheme.toLowerCase());
    return `Authorization is not Bearer and a token${isKnown ? `, but ${scheme}` : ''}`;
  }
  return JWT.test(token)
    ? 'The access token is a JWT, and this platform issues none'
    : 'The access token has not the form of tokens of this platform';
}
