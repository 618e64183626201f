import { setTimeout as delay } from 'node:timers/promises';
import type { Query } from './freshness.ts';

/** Received items of a span of time by outcome, in the words of the views. */
export interface OutcomeSums {
  readonly accepted: number;
  readonly stored: number;
  readonly duplicate: number;
  readonly outlier: number;
  readonly out_of_order: number;
  readonly ignored_after_final: number;
  readonly disputed: number;
  readonly dead_lettered: number;
  /** Items without an outcome. */
  readonly unexplained: number;
  /** Records of the log that were never read. */
  readonly unread: number;
}

const SPAN_MS = 600_000;
const SUMMED = [
  'accepted', 'stored', 'duplicate', 'outlier', 'out_of_order', 'ignored_after_final',
  'disputed', 'dead_lettered', 'unexplained',
] as const;

/**
 * Balances what was received from `sinceMs` until now as an analyst does, ten minutes at a time,
 * and looks for records that were never read.
 */
export async function sumOutcomes(query: Query, sinceMs: number): Promise<OutcomeSums> {
  const sums: Record<string, number> = { unread: 0 };
  for (const name of SUMMED) sums[name] = 0;
  const untilMs = Date.now();
  for (let fromMs = sinceMs; fromMs < untilMs; fromMs += SPAN_MS) {
    const window = windowOf(fromMs, Math.min(fromMs + SPAN_MS, untilMs));
    const [balance] = await query<Readonly<Record<string, string>>>(
      `SELECT ${SUMMED.map((name) => `sum(${name}) AS ${name}`).join(', ')}
       FROM (SELECT * FROM v_ingest_balance${window})`,
    );
    const [gaps] = await query<{ readonly unread: string }>(
      `SELECT sum(records) AS unread FROM v_ingest_gaps${window}`,
    );
    for (const name of SUMMED) sums[name] = (sums[name] ?? 0) + Number(balance?.[name] ?? 0);
    sums['unread'] = (sums['unread'] ?? 0) + Number(gaps?.unread ?? 0);
  }
  return sums as unknown as OutcomeSums;
}

/** The outcomes of a run in a line. */
export interface OutcomeReport {
  readonly line: string;
  /** False when an item has no outcome or was never read, and when no view said so. */
  readonly isExplained: boolean;
}

/** How often a run asks again for missing outcomes, and how long it waits in between. */
export interface OutcomePatience {
  readonly pollsMax: number;
  readonly pollMs: number;
}

const PATIENCE: OutcomePatience = { pollsMax: 20, pollMs: 500 };

/** One line with the outcomes since then, or why they are not known in time. */
export async function reportOutcomes(
  query: Query, sinceMs: number, { pollsMax, pollMs } = PATIENCE,
): Promise<OutcomeReport> {
  for (let polls = 1; ; polls += 1) {
    const report = await sumOutcomes(query, sinceMs).then(reportOf, failed);
    if (report.isExplained || polls >= pollsMax) return report;
    await delay(pollMs);
  }
}

function reportOf(sums: OutcomeSums): OutcomeReport {
  return { line: outcomesLine(sums), isExplained: sums.unexplained === 0 && sums.unread === 0 };
}

function failed(error: unknown): OutcomeReport {
  const reason = error instanceof Error ? error.message : String(error);
  return { line: `outcomes         not known: ${reason}`, isExplained: false };
}

function outcomesLine(sums: OutcomeSums): string {
  return `outcomes         ${Object.entries<number>({ ...sums })
    .filter(([name]) => name !== 'unread').map(([name, value]) => `${name}=${value}`).join(' ')}`
    + ` unread=${sums.unread}`;
}

function windowOf(sinceMs: number, untilMs: number): string {
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  return `(since = '${text(sinceMs)}', until = '${text(untilMs)}')`;
}
