import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../../kernel/http.ts';

// Node keeps the first of two silently, and a proxy before us may have used the other.
const SINGLE_HEADERS = new Set([
  'authorization', 'host', 'content-type', 'content-length', 'content-encoding', 'x-client-id',
  'idempotency-key',
]);

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const TOKEN_CHARACTERS_MAX = 512;
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The first header that stands more than once although it decides something. */
export function repeatedHeader(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
): Refusal | undefined {
  let names = 0;
  for (const _ in headers) names += 1;
  // Names and values by turns: as many names as headers, so none stands twice.
  if (2 * names === rawHeaders.length) return undefined;
  let seen: string[] | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen?.includes(name)) {
      return { code: 'duplicate_header', detail: `The header ${name} was sent more than once.` };
    }
    (seen ??= []).push(name);
  }
  return undefined;
}

/** The token of `Authorization: Bearer`; undefined when it is missing or not of that form. */
export function bearerToken(header: string | undefined): string | undefined {
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
  return token !== undefined && token.length <= TOKEN_CHARACTERS_MAX ? token : undefined;
}

/** The caller's `X-Request-Id` where it is harmless to repeat, else a name of our own. */
export function requestIdOf(request: IncomingMessage, makeId: () => string): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : makeId();
}

/** Value of one header, by any spelling of its name. */
export function headerReader(request: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  };
}
