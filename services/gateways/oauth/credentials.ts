import type { ClientId } from '../../kernel/ids.ts';

/** Client id and secret of a Basic header. */
export interface BasicCredentials {
  readonly clientId: ClientId;
  readonly secret: string;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const HEADER_CHARACTERS_MAX = 1_024;

/**
 * Reads `Authorization: Basic base64(client id:secret)`; undefined when missing or malformed. The
 * first colon divides (interface, 2. Generate token).
 */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined || header.length > HEADER_CHARACTERS_MAX) return undefined;
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\uFFFD')) return undefined;
  return { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/**
 * Why {@link readBasic} finds nothing, and what is needed. `isInBody` where the body names a
 * secret; nothing that was sent is repeated.
 */
export function basicFault(header: string | undefined, isInBody: boolean): string {
  const needed = 'send Authorization: Basic and client id:secret in Base64';
  if (header === undefined) {
    return `The header Authorization is missing; ${needed}${isInBody ? ', not in the body' : ''}.`;
  }
  if (!/^basic +/i.test(header)) return `Authorization is not Basic; ${needed}.`;
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) {
    return `What follows Basic is no Base64; ${needed}.`;
  }
  return `What follows Basic has no colon between client id and secret; ${needed}.`;
}
