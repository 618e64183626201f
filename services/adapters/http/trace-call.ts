import { TRACE_HEADER, type Tracer } from '../../kernel/tracing.ts';
import type { Mounted, RoutedRequest, StageName } from './request-context.ts';
import type { Written } from './write-answer.ts';

/** What a call was answered, and by which stage. */
export interface Ended extends Written {
  readonly stage: StageName;
}

type AnswerRouted = (mounted: Mounted, routed: RoutedRequest) => Promise<Ended>;

/**
 * Puts each call into a span of its own. A trace begins here: a caller's own trace is a
 * link, since strangers must not decide what we record. Without a tracer it is the call alone.
 */
export function traceCalls(tracer: Tracer | undefined, answer: AnswerRouted): AnswerRouted {
  if (tracer === undefined) return answer;
  return (mounted, routed) => {
    const { id, method, path } = mounted.operation;
    const sent = routed.request.headers[TRACE_HEADER];
    return tracer.trace({
      name: id, kind: 'server', links: typeof sent === 'string' ? [sent] : [],
      attributes: { 'http.request.method': method, 'http.route': path },
    }, async (report) => {
      const written = await answer(mounted, routed);
      const { status, code, stage } = written;
      report({
        'http.response.status_code': status, 'rastro.code': code, 'rastro.stage': stage,
      }, status >= 500);
      return written;
    });
  };
}
