import type { CommandState, NewestMonitoring, ProviderCommandResult } from '../../kernel/commands.ts';

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
