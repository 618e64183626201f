import type { ServerResponse } from 'node:http';
import type { QuotaFacts } from '../../kernel/admission.ts';
import type { Answer, ErrorForm, Refusal } from '../../kernel/http.ts';

/** What goes into every answer besides its own content. */
export interface AnswerContext {
  readonly requestId: string;
  readonly path: string;
  readonly quota: QuotaFacts | undefined;
  /** True for a call of a sandbox client: its answer says so. */
  readonly isSandbox?: boolean;
}

/** What was written; `code` is `ok` for what is no refusal, `gone` when no one listens. */
export interface Written {
  readonly status: number;
  readonly code: string;
}

interface ReadyAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

/** Writes an answer in one piece. Does nothing when the caller hung up. */
export function writeAnswer(
  response: ServerResponse, errors: ErrorForm,
  answer: Exclude<Answer, { kind: 'stream' }> | 'gone', context: AnswerContext,
): Written {
  if (answer === 'gone' || response.destroyed) return { status: 0, code: 'gone' };
  if (answer.kind === 'answer') {
    const { status, headers } = answer;
    const text = JSON.stringify(answer.body);
    send(response, { status, contentType: 'application/json', headers, text }, context);
    return { status, code: 'ok' };
  }
  if (answer.kind === 'text') {
    send(response, answer, context);
    return { status: answer.status, code: 'ok' };
  }
  const { kind: _, isOrdered: _ordered, ...refusal } = answer;
  const { body, ...form } = errors.write(refusal, context.requestId, pathOf(context.path));
  send(response, { ...form, text: JSON.stringify(body) }, context);
  return { status: form.status, code: refusal.code };
}

/** A refusal as the bytes of a whole HTTP/1.1 answer, for lines whose request cannot be read. */
export function rawRefusal(errors: ErrorForm, refusal: Refusal, requestId: string): string {
  const form = errors.write(refusal, requestId, '');
  const body = JSON.stringify(form.body);
  return [
    `HTTP/1.1 ${form.status} Bad Request`,
    `Content-Type: ${form.contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/**
 * Of every answer: no cache keeps what a token opened, and no reader guesses another type
 * than the one that is named.
 */
export const KEPT_NOWHERE = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'] as const;

/** Of every answer to a sandbox client, so that none is mistaken for one that stored something. */
export const OF_SANDBOX = ['Sandbox', 'true'] as const;

/**
 * Head and text go to the line in one write: Node joins them only while both are text. A text of
 * nothing but ASCII needs no encoding.
 */
function send(
  response: ServerResponse, { status, contentType, headers, text }: ReadyAnswer,
  { requestId, quota, isSandbox }: AnswerContext,
): void {
  const head: (string | number)[] = ['Content-Type', contentType, ...KEPT_NOWHERE];
  if (isSandbox === true) head.push(...OF_SANDBOX);
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (quota !== undefined) pushQuota(head, quota, headers?.['Retry-After']);
  const bytes = Buffer.byteLength(text);
  head.push('Content-Length', bytes, 'X-Request-Id', requestId);
  response.writeHead(status, head);
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/**
 * The widespread fields, and the two of the newer draft that say the same. A caller above its limit
 * is asked to wait once: `Retry-After` is the time of all of them.
 */
function pushQuota(
  head: (string | number)[], { of, allowed, limit, remaining, resetSeconds }: QuotaFacts,
  retryAfter: string | undefined,
): void {
  const seconds = allowed ? resetSeconds : retryAfter ?? resetSeconds;
  head.push(
    'RateLimit-Limit', limit,
    'RateLimit-Remaining', remaining,
    'RateLimit-Reset', seconds,
    'RateLimit-Policy', `"${of}";q=${limit}`,
    'RateLimit', `"${of}";r=${remaining};t=${seconds}`,
  );
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
