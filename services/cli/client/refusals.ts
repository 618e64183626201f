import type { KeptRefusals } from '../../kernel/refusals.ts';
import { isoOf } from '../inspect/facts.ts';
import { problemsOfSeen, seenIn } from '../inspect/state.ts';
import { misuse } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { at, tableOf, type PrintedLine } from '../print/lines.ts';

/** Shows what was refused to a client lately: how often, and where its bodies were wrong. */
export async function showRefusals(
  { inspectState }: Pick<OperatorPorts, 'inspectState'>, clientId: string,
): Promise<Report> {
  if (inspectState === undefined) return misuse('Set REDIS_URL: refused calls are kept there.');
  const seen = await seenIn(inspectState, ({ refusals }) => refusals.find(clientId));
  const [problem] = problemsOfSeen(seen);
  if (problem !== undefined) return { value: { error: problem }, lines: [problem], exitCode: 1 };
  const refusals = seen.kind === 'seen' ? seen.value ?? [] : [];
  return {
    value: refusals.map(({ first_at_ms, last_at_ms, ...rest }) => (
      { ...rest, first_at: isoOf(first_at_ms), last_at: isoOf(last_at_ms) }
    )),
    lines: refusals.length === 0 ? ['Nothing was refused to it in 7 days.'] : linesOf(refusals),
    exitCode: 0,
  };
}

function linesOf(refusals: readonly KeptRefusals[]): readonly PrintedLine[] {
  return tableOf(
    ['FIRST', 'LAST', 'CALLS', 'OPERATION', 'STATUS', 'CODE', 'POINTERS'],
    refusals.map((each) => [
      at(each.first_at_ms), at(each.last_at_ms), each.count, each.operation, each.status,
      each.code, each.pointers.join(' '),
    ]),
  );
}
