import type { ClientTry, Evidence, LogEntry, StoredRow } from '../evidence.ts';
import {
  deadEntries, entriesByMark, entryName, fieldOf, groupBy, itemName, recordsOf, sentItems, textOf,
  tryName, type SentItem,
} from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings } from '../verdict.ts';

/**
 * I21 Receipts: what the gateways say of an accepted call is the outcome of each of its items, by
 * the log and the tables. The first record with an item has its row; the item of a later one is a
 * duplicate. A notification ended as the journey says.
 */
export function receiptsAreTrue(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I21');
  if (evidence.receipts.length === 0 || evidence.run.allows.includes('log-lost')) {
    return findings.verdict();
  }
  const outcomeOf = outcomesOf(evidence);
  const tries = groupBy(evidence.tries, ({ ingest_id }) => ingest_id ?? '');
  for (const { ingest_id, status, receipt } of evidence.receipts) {
    const [by] = tries.get(ingest_id) ?? [];
    if (by === undefined) continue;
    const sent = [...sentItems([by])];
    findings.examine(sent.length);
    const expected = countsOf(sent.map((each) => outcomeOf(each, by)));
    const said = status === 200 ? countsIn(fieldOf(receipt, 'outcomes')) : `status ${status}`;
    if (said === expected && fieldOf(receipt, 'items') === sent.length) continue;
    findings.blame('shown-differs', `The receipt ${ingest_id} of ${tryName(by)} says ${said} of `
      + `${String(fieldOf(receipt, 'items'))} items, but it is ${expected} of ${sent.length}.`);
  }
  return findings.verdict();
}

/** The outcome of an item of a call, by the log and the rows alone. */
function outcomesOf(evidence: Evidence): (sent: SentItem, by: ClientTry) => string {
  const entries = entriesByMark(evidence);
  const rows = groupBy(evidence.rows, itemName);
  const dead = deadEntries(evidence);
  const journeys = journeysOf(evidence);
  const isOf = ({ headers }: LogEntry, { ingest_id }: ClientTry): boolean => (
    headers['ingest-id'] === ingest_id
  );
  return ({ item }, by) => {
    const found = entries.get(`${item.kind} ${item.mark}`) ?? [];
    const own = found.find((entry) => isOf(entry, by));
    if (own === undefined) return 'nowhere';
    if (dead.has(entryName(own))) return 'dead_lettered';
    if (item.kind === 'notification') return journeys.get(entryName(own)) ?? 'waiting';
    const [first] = found.filter((entry) => !dead.has(entryName(entry)));
    if (first !== own) return 'duplicate';
    return storedAs(rows.get(itemName(item)) ?? []);
  };
}

function storedAs([row]: readonly StoredRow[]): string {
  if (row === undefined) return 'waiting';
  return row.isOutlier ? 'outlier' : 'stored';
}

/** The outcomes of notifications; one that was applied is called stored. */
function journeysOf(evidence: Evidence): ReadonlyMap<string, string> {
  return new Map(recordsOf(evidence, TOPIC.journeys).map(({ value }) => {
    const place = fieldOf(value, 'notification');
    const outcome = textOf(value, 'outcome');
    return [entryName({
      topic: TOPIC.notifications,
      partition: Number(fieldOf(place, 'partition')),
      offset: Number(fieldOf(place, 'offset')),
    }), outcome === 'applied' ? 'stored' : outcome];
  }));
}

function countsOf(outcomes: readonly string[]): string {
  return [...groupBy(outcomes, String)]
    .map(([outcome, each]) => `${outcome}=${each.length}`).toSorted().join(' ');
}

function countsIn(outcomes: unknown): string {
  return Object.entries((outcomes ?? {}) as Readonly<Record<string, number>>)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${outcome}=${count}`).toSorted().join(' ');
}
