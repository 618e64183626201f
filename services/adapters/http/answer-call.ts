import type { CallTools, StageEnding, RequestContext } from './request-context.ts';
import { STAGES } from './stages.ts';

/**
 * Takes every call through the same stages. A refusal of the input is answered only after the
 * caller was let in, so that no one learns anything about an operation that it may not call.
 * Rejects with `Unavailable`, or with a defect.
 */
export async function answerCall(tools: CallTools, context: RequestContext): Promise<StageEnding> {
  for (const { name, kind, run } of STAGES) {
    const { refused } = context;
    if (refused !== undefined && kind !== 'caller') {
      if (kind === 'input') continue;
      context.stage = refused.stage;
      return { kind: 'refusal', ...refused.explain() };
    }
    context.stage = name;
    const running = run(tools, context);
    const ending = running instanceof Promise ? await running : running;
    if (ending !== undefined) return ending;
  }
  throw new Error('The last stage did not end the call.');
}
