import type {
  CommandState, NewestMonitoring, ProviderCommandIssued, ProviderCommandResult,
} from '../../kernel/commands.ts';

/** What of a result decides which of two counts. */
export type FencedResult = Pick<ProviderCommandResult, 'fence' | 'outcome' | 'attempt'>;

type Outcome = ProviderCommandResult['outcome'];

const FINAL: Readonly<Record<Outcome, boolean>> = {
  done: true, refused: true, ended: true, cancelled: true, expired: true,
  retry: false,
};

const STATE: Readonly<Record<Outcome, CommandState>> = {
  done: 'done', refused: 'refused', ended: 'ended', cancelled: 'cancelled',
  expired: 'expired', retry: 'sending',
};

/** True when nothing comes after this outcome. */
export function isFinal(outcome: Outcome): boolean {
  return FINAL[outcome];
}

/**
 * True when `candidate` counts before `kept`: an end before a retry, then the higher fence, then
 * the later attempt. A total order, so any order of application ends in the same result: an end
 * stays, and a retry that a former owner of the lease still writes never counts against a newer.
 */
export function counts(candidate: FencedResult, kept: FencedResult | undefined): boolean {
  if (kept === undefined) return true;
  if (isFinal(candidate.outcome) !== isFinal(kept.outcome)) return isFinal(candidate.outcome);
  if (candidate.fence !== kept.fence) return candidate.fence > kept.fence;
  return candidate.attempt > kept.attempt;
}

/**
 * The result by which an operator ends a command that waits or is sent; undefined when it has an
 * end. It has the fence and the attempts that are known: the answer to an attempt in flight counts
 * before it, because its provider took the command.
 */
export function cancelCommand(
  { command_id, provider, command_key }: ProviderCommandIssued,
  result: FencedResult | undefined, at_ms: number,
): ProviderCommandResult | undefined {
  if (result !== undefined && isFinal(result.outcome)) return undefined;
  return {
    type: 'ProviderCommandResult', command_id, provider, command_key,
    fence: result?.fence ?? 0, attempt: result?.attempt ?? 0,
    outcome: 'cancelled', reason: 'operator', at_ms,
  };
}

/** True when an operator ended a command, so that it is not tried any more. */
export function isCancelledByOperator(
  result: Pick<ProviderCommandResult, 'outcome' | 'reason'> | undefined,
): boolean {
  return result?.outcome === 'cancelled' && result.reason === 'operator';
}

/** The state of a command by the result that counts. */
export function stateOf(result: FencedResult | undefined): CommandState {
  return result === undefined ? 'queued' : STATE[result.outcome];
}

/**
 * True when a transport is monitored: its newest start or stop is a start that the provider got or
 * may still get. It holds from the issue on, because the provider may register a device before its
 * answer to the command has come back (decisions.md, Registration).
 */
export function isMonitored(newest: NewestMonitoring | undefined): boolean {
  if (newest?.command !== 'start_tracking') return false;
  switch (newest.result?.outcome) {
    case 'refused':
    case 'ended':
    case 'cancelled':
    case 'expired':
      return false;
    case 'retry':
    case 'done':
    case undefined:
      return true;
  }
}
