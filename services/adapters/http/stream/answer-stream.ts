import type { Answer } from '../../../kernel/http.ts';
import type { CallTools, RequestContext } from '../request-context.ts';
import { KEPT_NOWHERE, OF_SANDBOX, type Written } from '../write-answer.ts';
import { createStreamLine } from './stream-line.ts';
import { watchRights } from './watch-rights.ts';

/**
 * Writes the head of a stream and lets its operation begin to write. From then on the call counts
 * as answered; its rights are looked at again as long as it lasts.
 */
export function answerStream(
  tools: CallTools, context: RequestContext, answer: Extract<Answer, { kind: 'stream' }>,
): Written {
  const { routed: { response }, requestId, facts } = context;
  if (response.destroyed) return { status: 0, code: 'gone' };
  response.writeHead(answer.status, [
    'Content-Type', answer.contentType, ...KEPT_NOWHERE,
    ...facts?.caller?.sandbox === true ? OF_SANDBOX : [],
    // A proxy that gathers an answer before it passes it on would hold a stream back forever.
    'X-Accel-Buffering', 'no', 'X-Request-Id', requestId,
  ]);
  response.flushHeaders();
  const line = createStreamLine(response);
  const stopWatching = watchRights(tools, context, () => { line.end(); });
  const over = answer.begin(line);
  let isOver = false;
  const once = (): void => {
    if (isOver) return;
    isOver = true;
    stopWatching();
    over();
  };
  if (response.closed) once();
  else response.once('close', once);
  return { status: answer.status, code: 'ok' };
}
