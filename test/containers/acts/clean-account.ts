import { waitFor } from '../../../infra/local/wait.ts';
import { complaintOf, type ActFinding } from './act.ts';

/** What `inside/account.ts` answers: a ledger beside the tables. */
export interface LedgerAccount {
  readonly line: string;
  readonly accepted: number;
  readonly isClean: boolean;
  readonly outcomes: string;
  readonly isExplained: boolean;
}

/** Asks for an account until all is stored and explained, or time is over. */
export async function cleanAccount(
  ask: () => Promise<LedgerAccount>,
  times: { readonly deadlineMs: number; readonly everyMs: number },
): Promise<ActFinding> {
  let account: LedgerAccount | undefined;
  let failure = '';
  await waitFor(async () => {
    try {
      account = await ask();
    } catch (error) {
      failure = complaintOf(error);
      return false;
    }
    return account.isClean && account.isExplained;
  }, { what: 'A clean account', ...times }).catch(() => undefined);
  if (account === undefined) return { seen: 'no account', complaints: [`no answer: ${failure}`] };
  return findingOf(account);
}

/** An account in the words of an act. */
export function findingOf(
  { line, accepted, isClean, outcomes, isExplained }: LedgerAccount,
): ActFinding {
  const unexplained = /\bunexplained=(\d+)/.exec(outcomes)?.[1] ?? 'not known';
  return {
    seen: `${line} unexplained=${unexplained}`,
    complaints: [
      ...(accepted > 0 ? [] : ['nothing was accepted']),
      ...(isClean ? [] : [`the account is not clean: ${line}`]),
      ...(isExplained ? [] : [`not all has an outcome: ${outcomes.replace(/\s+/g, ' ')}`]),
    ],
  };
}
