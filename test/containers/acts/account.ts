import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { readEnv } from '../env.ts';
import { complaintOf, type ActFinding, type ContainerStage } from './act.ts';

interface Account {
  readonly line: string;
  readonly accepted: number;
  readonly isClean: boolean;
  readonly outcomes: string;
  readonly isExplained: boolean;
}

/** A little longer than the drain of the provider, which needs an answer for what is in hand. */
const STOP_SECONDS = 30;
const STORED_MS_MAX = 90_000;
const HOUR_MS = 3_600_000;

/**
 * Ends the drive and compares its ledger with the tables, until all is stored or time is over. The
 * ledger stays: a later account holds what an earlier one held.
 */
export async function accountOf(stage: ContainerStage): Promise<ActFinding> {
  const file = join(stage.folder, 'ledger.jsonl');
  await stage.compose(['stop', '--timeout', String(STOP_SECONDS), 'demo']);
  await stage.compose(['cp', 'demo:/demo/ledger.jsonl', file]);
  const question = {
    file, user: 'analyst', password: readEnv(stage)['CLICKHOUSE_ANALYST_PASSWORD'],
    sinceMs: Date.now() - HOUR_MS,
  };
  let account: Account | undefined;
  let failure = '';
  await waitFor(async () => {
    try {
      account = await stage.inside<Account>('account.ts', question);
    } catch (error) {
      failure = complaintOf(error);
      return false;
    }
    return account.isClean && account.isExplained;
  }, { what: 'A clean account', deadlineMs: STORED_MS_MAX, everyMs: 1_000 }).catch(() => undefined);
  if (account === undefined) return { seen: 'no account', complaints: [`no answer: ${failure}`] };
  const { line, outcomes, isClean, isExplained, accepted } = account;
  return {
    seen: line,
    complaints: [
      ...(accepted > 0 ? [] : ['nothing was accepted']),
      ...(isClean ? [] : [`the account is not clean: ${line}`]),
      ...(isExplained ? [] : [`not all has an outcome: ${outcomes.replace(/\s+/g, ' ')}`]),
    ],
  };
}
