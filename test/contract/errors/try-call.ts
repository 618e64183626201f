import type { Warning } from '../../../services/kernel/warnings.ts';
import { dryRunOf, WRITING } from '../../support/dry-runs.ts';
import type { WholeEdge } from '../../support/whole-edge.ts';
import { readAnswer, type SaidAnswer } from './read-answer.ts';
import { sendCall } from './send-call.ts';
import type { SentCall } from './wrong-call.ts';

/** What an answer says for people where nothing was stored. */
export const NOTHING_STORED = 'Dry run: nothing was stored.';

/** The answer of a dry run, what it warns of, and how many records it left. */
export interface TriedCall {
  readonly said: SaidAnswer;
  readonly warnings: readonly Warning[];
  readonly stored: number;
}

/** True of a call of an operation that writes, but for those whose address itself is wrong. */
export function canBeTried({ to, method, target, raw }: SentCall): boolean {
  return WRITING.includes(to) && method === undefined && target === undefined && raw === undefined;
}

/** Sends the dry run of a call, after what has to happen before it. */
export async function tryCall(at: WholeEdge, call: SentCall): Promise<TriedCall> {
  await call.before?.(at);
  const { before: _done, ...rest } = call;
  const [log, state] = [at.log.appended.length, JSON.stringify(at.states.dump())];
  const answer = await sendCall(at, { ...rest, to: dryRunOf(call.to) });
  const isSame = JSON.stringify(at.states.dump()) === state;
  const { warnings = [] } = JSON.parse(answer.text) as Partial<TriedCall>;
  return {
    said: readAnswer(answer), warnings,
    stored: at.log.appended.length - log + (isSame ? 0 : 1),
  };
}

/** An answer without its headers, and without the ids that each call has. */
export function withoutIds({ headers: _headers, whole, ...said }: SaidAnswer): object {
  return { ...said, whole: whole.replaceAll(/[0-9a-f]{32}/g, 'id') };
}
