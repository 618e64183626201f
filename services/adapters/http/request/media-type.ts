import type { IncomingMessage } from 'node:http';
import type { Operation, Refusal } from '../../../kernel/http.ts';

const MEDIA_TYPES = {
  json: 'application/json', form: 'application/x-www-form-urlencoded',
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
  const wanted = MEDIA_TYPES[kind];
  if (said === wanted && request.headers['content-encoding'] === undefined) return undefined;
  const [type, ...parameters] = said.split(';');
  if (type?.trim().toLowerCase() !== wanted) return refuse(`Content-Type must be ${wanted}.`);
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter));
  if (charset !== undefined && !CHARSET.test(charset)) return refuse('The charset must be utf-8.');
  const encoding = encodingOf(request);
  return encoding === 'identity' || encoding === 'gzip'
    ? undefined
    : refuse('Content-Encoding must be gzip or absent.');
}

/** How the body is packed, in lower case; `identity` when nothing is said. */
export function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

function refuse(detail: string): Refusal {
  return { code: 'unsupported_media_type', detail };
}
