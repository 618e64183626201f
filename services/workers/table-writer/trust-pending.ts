import type { PendingInsert } from '../../kernel/row-sink.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { extentsOf, sameRanges } from './ranges.ts';

/**
 * Whether an unfinished batch can be formed again. `passed`: it was committed after all.
 * `rewound`: the group was set back behind it.
 */
export type ReformVerdict = 'complete' | 'incomplete' | 'passed' | 'rewound';

/** Compares what is pending with what has come in since the partitions were taken over. */
export function trustPending(
  pending: PendingInsert,
  held: ReadonlyMap<string, readonly ConsumedRecord[]>,
): ReformVerdict {
  let verdict: ReformVerdict = 'complete';
  for (const { partition, first, last } of extentsOf(pending)) {
    const records = held.get(partition) ?? [];
    const from = records[0]?.offset;
    const to = records.at(-1)?.offset;
    if (from !== undefined && from > last) return 'passed';
    if (from !== undefined && from < first) return 'rewound';
    if (to === undefined || to < last) verdict = 'incomplete';
  }
  return verdict;
}

/**
 * Of what was found for newly owned partitions, each batch once, and only where every partition of
 * it still names it: where one names another, this one was finished long ago.
 */
export function trustedPendings(
  partitions: readonly string[],
  found: ReadonlyMap<string, PendingInsert>,
): readonly PendingInsert[] {
  const trusted: PendingInsert[] = [];
  for (const pending of found.values()) {
    if (trusted.some(({ ranges }) => sameRanges(ranges, pending.ranges))) continue;
    const isWhole = pending.ranges.every(({ partition }) => {
      const own = partitions.includes(partition) ? found.get(partition) : undefined;
      return own !== undefined && sameRanges(own.ranges, pending.ranges);
    });
    if (isWhole && pending.ranges.length > 0) trusted.push(pending);
  }
  return trusted;
}
