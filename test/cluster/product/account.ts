import { join } from 'node:path';
import type { ActFinding } from '../../containers/acts/act.ts';
import { cleanAccount, type LedgerAccount } from '../../containers/acts/clean-account.ts';
import type { TableUser } from '../../containers/inside/tables.ts';
import { ask } from '../../containers/machine/ask.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';

/** A ledger, who compares it with the tables, and since when outcomes are asked for. */
export interface AccountGiven {
  readonly ledger: string;
  readonly user: Required<TableUser>;
  readonly sinceMs: number;
}

const SCRIPT = join(import.meta.dirname, '../../containers/inside/account.ts');
const ASK_MS_MAX = 300_000;
const TIMES = { deadlineMs: 300_000, everyMs: 3_000 };

/** Compares a ledger with the tables until all is stored and explained, or time is over. */
export function accountOf(
  namespaces: Namespaces, { ledger, user, sinceMs }: AccountGiven,
): Promise<ActFinding> {
  const question = { file: ledger, sinceMs, ...user };
  return cleanAccount(() => ask<LedgerAccount>(namespaces, SCRIPT, question, ASK_MS_MAX), TIMES);
}
