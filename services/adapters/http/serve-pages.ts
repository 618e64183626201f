import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageAnswer, Pages } from '../../kernel/pages.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { discardRest } from './request/discard-rest.ts';
import { headerReader, requestIdOf } from './request/headers.ts';

/** Answers a call with a page; gives `false`, with nothing written, where there is none. */
export type ServePage = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Whether a call may be for a page: pages are read, and never sent to. */
export function mayBePage(pages: Pages | undefined, { method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && pages?.mayHave(pathOf(url)) === true;
}

/** Makes what serves pages: by the path as it was sent, so that no encoding leads elsewhere. */
export function createServePage(
  pages: Pages, { signals, ids }: HttpPorts, config: HttpConfig,
): ServePage {
  return async function servePage(request, response) {
    const answer = await pages.find({
      path: pathOf(request.url ?? ''), header: headerReader(request),
    });
    if (answer === undefined) return false;
    write(request, response, answer, requestIdOf(request, () => ids.nonce()));
    discardRest(request, config.discardedBytesMax);
    signals.unroutedRequestAnswered({ operation: 'pages', status: answer.status, code: 'ok' });
    return true;
  };
}

function write(
  request: IncomingMessage, response: ServerResponse, { status, headers, content }: PageAnswer,
  requestId: string,
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...status === 304 ? {} : { 'Content-Length': Buffer.byteLength(content) },
  });
  response.end(request.method === 'HEAD' || status === 304 ? undefined : content);
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
