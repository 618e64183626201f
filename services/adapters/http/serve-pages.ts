import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { PageAnswer, Pages, Pieces } from '../../kernel/pages.ts';
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
    await write(request, response, answer, requestIdOf(request, () => ids.nonce()));
    discardRest(request, config.discardedBytesMax);
    signals.unroutedRequestAnswered({ operation: 'pages', status: answer.status, code: 'ok' });
    return true;
  };
}

async function write(
  request: IncomingMessage, response: ServerResponse, { status, headers, content }: PageAnswer,
  requestId: string,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...status === 304 ? {} : { 'Content-Length': lengthOf(content) },
  });
  if (request.method === 'HEAD' || status === 304) response.end();
  else if (isPieces(content)) await writePieces(response, content);
  else response.end(content);
}

/** The next piece is read when the line has taken the one before; a caller may hang up. */
async function writePieces(response: ServerResponse, content: Pieces): Promise<void> {
  try {
    await pipeline(content.read(), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function isPieces(content: PageAnswer['content']): content is Pieces {
  return typeof content === 'object' && 'read' in content;
}

function lengthOf(content: PageAnswer['content']): number {
  return isPieces(content) ? content.bytes : Buffer.byteLength(content);
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
