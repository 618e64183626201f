import { join } from 'node:path';
import { readEnv } from '../env.ts';
import type { ActFinding, ContainerStage } from './act.ts';
import { cleanAccount, type LedgerAccount } from './clean-account.ts';

/** A little longer than the drain of the provider, which needs an answer for what is in hand. */
const STOP_SECONDS = 30;
const TIMES = { deadlineMs: 90_000, everyMs: 1_000 };
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
  return cleanAccount(() => stage.inside<LedgerAccount>('account.ts', question), TIMES);
}
