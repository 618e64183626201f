import type { IncomingMessage } from 'node:http';
import type { Operation, Refusal } from '../../../kernel/http.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MEDIA_TYPES = {
  'json': [JSON_TYPE], 'form': [FORM_TYPE], 'json-or-form': [JSON_TYPE, FORM_TYPE],
} as const;

const CHARSET = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/**
 * Refuses any body that is not said to be of the operation's type, in UTF-8, plain or gzip. Without
 * this a wrong type would be read as no body at all.
 */
export function mediaTypeFault(
  request: IncomingMessage, kind: Exclude<Operation['bodyKind'], 'none'>,
): Refusal | undefined {
  const said = request.headers['content-type'] ?? '';
  const wanted: readonly string[] = MEDIA_TYPES[kind];
  if (said === wanted[0] && request.headers['content-encoding'] === undefined) return undefined;
  const [, ...parameters] = said.split(';');
  if (!wanted.includes(typeOf(said))) {
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

function typeOf(said: string): string {
  return (said.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** How the body is packed, in lower case; `identity` when nothing is said. */
export function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

function refuse(detail: string): Refusal {
  return { code: 'unsupported_media_type', detail };
}
