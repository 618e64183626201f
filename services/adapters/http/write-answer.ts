import type { ServerResponse } from 'node:http';
import type { QuotaFacts } from '../../kernel/admission.ts';
import type { Answer, ErrorForm, Refusal } from '../../kernel/http.ts';

/** What goes into every answer besides its own content. */
export interface AnswerContext {
  readonly requestId: string;
  readonly path: string;
  readonly quota: QuotaFacts | undefined;
}

/** What was written; `code` is `ok` for what is no refusal, `gone` when nobody listens. */
export interface Written {
  readonly status: number;
  readonly code: string;
}

/** Writes an answer in one piece. Does nothing when the caller hung up. */
export function writeAnswer(
  response: ServerResponse, errors: ErrorForm, answer: Answer | 'gone', context: AnswerContext,
): Written {
  if (answer === 'gone' || response.destroyed) return { status: 0, code: 'gone' };
  if (answer.kind === 'answer') {
    const headers = { 'Content-Type': 'application/json', ...answer.headers };
    send(response, answer.status, headers, JSON.stringify(answer.body), context);
    return { status: answer.status, code: 'ok' };
  }
  if (answer.kind === 'text') {
    const headers = { 'Content-Type': answer.contentType, ...answer.headers };
    send(response, answer.status, headers, answer.text, context);
    return { status: answer.status, code: 'ok' };
  }
  const { kind: _, ...refusal } = answer;
  const form = errors.write(refusal, context.requestId, pathOf(context.path));
  const headers = { 'Content-Type': form.contentType, ...form.headers };
  send(response, form.status, headers, JSON.stringify(form.body), context);
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
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function send(
  response: ServerResponse, status: number, headers: Readonly<Record<string, string>>,
  text: string, { requestId, quota }: AnswerContext,
): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    ...headers,
    ...(quota === undefined ? {} : quotaHeaders(quota)),
    'Content-Length': bytes.length,
    'X-Request-Id': requestId,
  });
  response.end(bytes);
}

/** The widespread fields, and the two of the newer draft that say the same. */
function quotaHeaders(
  { of, limit, remaining, resetSeconds }: QuotaFacts,
): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"${of}";q=${limit}`,
    RateLimit: `"${of}";r=${remaining};t=${resetSeconds}`,
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
