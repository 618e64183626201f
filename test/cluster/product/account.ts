import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { complaintOf, type ActFinding } from '../../containers/acts/act.ts';
import { ask } from '../../containers/machine/ask.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import type { TableUser } from '../../containers/inside/tables.ts';

interface Account {
  readonly line: string;
  readonly accepted: number;
  readonly isClean: boolean;
  readonly outcomes: string;
  readonly isExplained: boolean;
}

/** A ledger, who compares it with the tables, and since when outcomes are asked for. */
export interface AccountGiven {
  readonly ledger: string;
  readonly user: Required<TableUser>;
  readonly sinceMs: number;
}

const SCRIPT = join(import.meta.dirname, '../../containers/inside/account.ts');
const ASK_MS_MAX = 120_000;
const STORED_MS_MAX = 120_000;

/** Compares a ledger with the tables until all is stored and explained, or time is over. */
export async function accountOf(
  namespaces: Namespaces, { ledger, user, sinceMs }: AccountGiven,
): Promise<ActFinding> {
  let account: Account | undefined;
  let failure = '';
  await waitFor(async () => {
    try {
      account = await ask<Account>(
        namespaces, SCRIPT, { file: ledger, sinceMs, ...user }, ASK_MS_MAX,
      );
    } catch (error) {
      failure = complaintOf(error);
      return false;
    }
    return account.isClean && account.isExplained;
  }, { what: 'A clean account', deadlineMs: STORED_MS_MAX, everyMs: 3_000 }).catch(() => undefined);
  if (account === undefined) return { seen: 'no account', complaints: [`no answer: ${failure}`] };
  return findingOf(account);
}

/** An account in the words of an act. */
export function findingOf({ line, accepted, isClean, outcomes, isExplained }: Account): ActFinding {
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
