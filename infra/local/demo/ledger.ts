import { readLedgerFile } from '../../../services/provider/ledger/file.ts';
import {
  createComparison, type Balance, type Comparison,
} from '../../../services/provider/ledger/compare.ts';
import { keyOf } from '../../../services/provider/ledger/identities.ts';
import { OTHER_KINDS, type LedgerLine, type OtherKind } from '../../../services/provider/ledger/lines.ts';
import { ACCOUNTS, type AccountPorts } from './accounts.ts';

/** Every kind of a ledger, in the order of the report. */
const KINDS = ['locations', ...OTHER_KINDS] as const;

/** A kind of items. */
export type Kind = OtherKind | 'locations';

const KEYS_PER_LOOK = 100;

interface Book {
  readonly comparison: Comparison;
  /** What rows are asked for by. Others belong to other runs. */
  readonly keys: Set<string>;
}

/**
 * Compares, item by item and kind by kind, what the ledger says was sent with what an analyst or
 * the query API finds.
 */
export async function balanceAll(
  ledgerFile: string, ports: AccountPorts,
): Promise<ReadonlyMap<Kind, Balance>> {
  const books = new Map<Kind, Book>(KINDS.map((kind) => (
    [kind, { comparison: createComparison(), keys: new Set() }]
  )));
  const kinds = new Map<string, Kind>();
  for await (const line of readLedgerFile(ledgerFile)) {
    if (line.line !== 'end') kinds.set(line.post, line.line === 'post' ? 'locations' : line.kind);
    const book = books.get(kinds.get(line.post) ?? 'locations');
    book?.comparison.addLine(line);
    for (const key of keysOf(line)) book?.keys.add(key);
  }
  const balances = new Map<Kind, Balance>();
  for (const [kind, { comparison, keys }] of books) {
    for (const chunk of chunks([...keys], KEYS_PER_LOOK)) {
      await ACCOUNTS[kind](chunk, comparison, ports);
    }
    balances.set(kind, comparison.balance());
  }
  return balances;
}

/** One account of all kinds together. */
export function total(balances: ReadonlyMap<Kind, Balance>): Balance {
  const sum: Record<string, number> = {};
  for (const balance of balances.values()) {
    for (const [name, value] of Object.entries<number>({ ...balance })) {
      sum[name] = (sum[name] ?? 0) + value;
    }
  }
  return sum as unknown as Balance;
}

/** The counters of a balance, in the words of the last line. */
export function counters({ sent, accepted, stored, duplicates, dead, lost, doubled }: Balance) {
  return `sent=${sent} accepted=${accepted} stored=${stored} duplicates=${duplicates}`
    + ` dead=${dead} lost=${lost} doubled=${doubled}`;
}

/** True when nothing is lost, doubled, unexplained or refused. */
export function isClean(result: Balance): boolean {
  return result.lost === 0 && result.doubled === 0 && result.phantom === 0 && result.refused === 0;
}

function keysOf(line: LedgerLine): readonly string[] {
  if (line.line === 'post') return [line.device_id];
  return (line.items ?? []).map(keyOf).filter((key) => key !== '');
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
