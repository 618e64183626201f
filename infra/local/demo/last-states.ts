import { readLedgerFile } from '../../../services/provider/ledger/file.ts';
import { keyOf, notificationIdentity } from '../../../services/provider/ledger/identities.ts';
import type { Query } from './freshness.ts';

const APPLIED = 'applied';

interface LastRow {
  readonly tracking_number: string;
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_ms: number;
  readonly final: boolean;
}

/**
 * Sentences about shipments that do not stand where the ledger says: at the last applied one of
 * their notifications, and at an end. Shipments with a push that was not accepted are left out.
 */
export async function wrongStates(ledgerFile: string, query: Query): Promise<readonly string[]> {
  const expected = await lastApplied(ledgerFile);
  const rows = await query<LastRow>(
    `SELECT tracking_number, code, carrier_code, final,
            toFloat64(toUnixTimestamp64Milli(occurred_at)) AS occurred_ms
     FROM v_shipment_last WHERE tracking_number IN {keys:Array(String)}`,
    { keys: [...expected.keys()] },
  );
  const found = new Map(rows.map((row) => [row.tracking_number, {
    identity: notificationIdentity(row.tracking_number, { ...row, outcome: APPLIED }),
    isFinal: row.final,
  }]));
  return [...expected].flatMap(([number, identity]) => {
    const state = found.get(number);
    if (state?.identity !== identity) {
      return [`shipment ${number} is at ${state?.identity ?? 'nothing'}, not ${identity}`];
    }
    return state.isFinal ? [] : [`shipment ${number} has no end: ${identity}`];
  });
}

/** By tracking number; a push that was sent again and changed nothing is none of these. */
async function lastApplied(ledgerFile: string): Promise<ReadonlyMap<string, string>> {
  const open = new Map<string, readonly string[]>();
  const last = new Map<string, string>();
  for await (const line of readLedgerFile(ledgerFile)) {
    if (line.line === 'items' && line.kind === 'notifications') open.set(line.post, line.items);
    if (line.line !== 'end' || line.outcome !== 'accepted') continue;
    for (const identity of open.get(line.post) ?? []) {
      if (identity.endsWith(APPLIED)) last.set(keyOf(identity), identity);
    }
    open.delete(line.post);
  }
  for (const identity of [...open.values()].flat()) last.delete(keyOf(identity));
  return last;
}
