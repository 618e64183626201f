/** Compares a ledger of the reference provider, item by item, with what an analyst finds. */
import { reportOutcomes } from '../../../infra/local/demo/item-outcomes.ts';
import { balanceAll, counters, isClean, total } from '../../../infra/local/demo/ledger.ts';
import type { Query } from '../../../infra/local/demo/freshness.ts';
import { answer } from './answer.ts';
import { openTables, type TableUser } from './tables.ts';

/** The act asks for the account again and again. */
const ONCE = { pollsMax: 1, pollMs: 0 };
/** The provider of the containers is sent no command. */
const NO_COMMAND = (): Promise<undefined> => Promise.resolve(undefined);

await answer<TableUser & { readonly file: string; readonly sinceMs: number }>(
  async ({ file, sinceMs, ...user }) => {
    const tables = openTables(user);
    const query: Query = async <Row>(
      sql: string, parameters?: Readonly<Record<string, unknown>>,
    ) => await tables.query(sql, parameters) as Row[];
    const balance = total(await balanceAll(file, { query, findCommand: NO_COMMAND }));
    const outcomes = await reportOutcomes(query, sinceMs, ONCE);
    return {
      line: counters(balance), accepted: balance.accepted, isClean: isClean(balance),
      outcomes: outcomes.line, isExplained: outcomes.isExplained,
    };
  },
);
