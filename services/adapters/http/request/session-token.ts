import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../../kernel/http.ts';
import { readSession } from '../../../kernel/sessions.ts';

/** Audience whose tokens open some operations of others too. */
const PLATFORM = 'platform';

/**
 * The token of a browser's session for an operation, out of its cookie. Reading is open to every
 * page of this address; what changes something also needs an `Origin` that is this address, so that
 * no other site can have it done (CSRF).
 */
export function sessionToken(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>, operation: Operation,
): string | undefined {
  if (headers.cookie === undefined || operation.audience === undefined) return undefined;
  if (!isFromHere(headers) || (method !== 'GET' && !hasOwnOrigin(headers))) return undefined;
  const tokens = readSession(headers.cookie, headers.host);
  return tokens.get(operation.audience)
    ?? (operation.platformScope === undefined ? undefined : tokens.get(PLATFORM));
}

/** Browsers say where a call comes from; `none` is an address that a person typed. */
function isFromHere({ 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

function hasOwnOrigin({ origin, host }: IncomingMessage['headers']): boolean {
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}
