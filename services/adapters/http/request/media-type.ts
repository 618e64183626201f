import type { IncomingMessage } from 'node:http';
import type { Operation, Refusal } from '../../../kernel/http.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MEDIA_TYPES = {
  'json': [JSON_TYPE], 'form': [FORM_TYPE], 'json-or-form': [JSON_TYPE, FORM_TYPE],
} as const;

const OTHER_JSON = /^(?:text\/json|application\/[\w.!#$&^-]+\+json)$/;
const CHARSET = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/**
 * Refuses a body that is said to be of another type than the operation's, or not in UTF-8, or
 * packed otherwise than by gzip. One of which nothing is said has the operation's first type.
 */
export function mediaTypeFault(
  request: IncomingMessage, kind: Exclude<Operation['bodyKind'], 'none'>,
): Refusal | undefined {
  const said = request.headers['content-type'] ?? '';
  const wanted: readonly string[] = MEDIA_TYPES[kind];
  if (said === wanted[0] && request.headers['content-encoding'] === undefined) return undefined;
  const [, ...parameters] = said.split(';');
  if (typeOf(said) !== '' && !wanted.includes(typeOf(said))) {
    return refuse(`Content-Type must be ${wanted.join(' or ')}.`);
  }
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter));
  if (charset !== undefined && !CHARSET.test(charset)) return refuse('The charset must be utf-8.');
  const encoding = encodingOf(request);
  return encoding === 'identity' || encoding === 'gzip'
    ? undefined
    : refuse('Content-Encoding must be gzip or absent.');
}

/** True when a body is a form: by its operation alone, or by what its caller said. */
export function isForm(
  request: IncomingMessage, kind: Exclude<Operation['bodyKind'], 'none'>,
): boolean {
  if (kind !== 'json-or-form') return kind === 'form';
  return typeOf(request.headers['content-type'] ?? '') === FORM_TYPE;
}

/** The type without its parameters. The other names of JSON (RFC 6839) count as JSON. */
function typeOf(said: string): string {
  const type = (said.split(';', 1)[0] ?? '').trim().toLowerCase();
  return OTHER_JSON.test(type) ? JSON_TYPE : type;
}

/** How the body is packed, in lower case; `identity` when nothing is said. */
export function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

function refuse(detail: string): Refusal {
  return { code: 'unsupported_media_type', detail };
}
