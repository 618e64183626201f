import { STAGES } from '../../services/adapters/http/stages.ts';
import { CODES, type Code } from '../../services/kernel/codes.ts';

interface AnsweredCall {
  readonly event?: string;
  readonly operation: string;
  readonly stage: string;
  readonly code: Code | 'ok' | 'gone';
}

/**
 * Refusals in the lines of a gateway that the stage which gave them does not own. The operation
 * owns what its document says, and any stage may meet an outage or a defect of ours.
 */
export function strayRefusals(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.includes('request_answered'))
    .map((line) => JSON.parse(line) as AnsweredCall)
    .filter(({ stage, code }) => !isOwned(stage, code))
    .map(({ operation, stage, code }) => `${operation}: the stage ${stage} gave ${code}`);
}

function isOwned(name: string, code: AnsweredCall['code']): boolean {
  const stage = STAGES.find((each) => each.name === name);
  if (stage === undefined) return false;
  if (code === 'ok') return name === 'operation';
  if (code === 'gone' || name === 'operation' || CODES[code].kind === 'fault') return true;
  return stage.refuses.includes(code);
}
