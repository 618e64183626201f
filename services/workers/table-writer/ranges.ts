import type { TopicPartition } from '../../kernel/record-log.ts';
import type { PendingInsert } from '../../kernel/row-sink.ts';

/** The offsets of one partition in one batch, both ends included. */
export type OffsetRange = PendingInsert['ranges'][number];

/** Permanent name of a partition: a topic created again under its name has another id. */
export function partitionName(at: Pick<TopicPartition, 'topicId' | 'partition'>): string {
  return `${at.topicId}:${at.partition}`;
}

/** What makes an insert the same insert: every partition with its offsets. */
export function tokenOf(ranges: readonly OffsetRange[]): string {
  return ranges.map(({ partition, first, last }) => `${partition}:${first}-${last}`).join(',');
}

/** True for two lists of the same ranges in the same order. */
export function sameRanges(a: readonly OffsetRange[], b: readonly OffsetRange[]): boolean {
  return tokenOf(a) === tokenOf(b);
}

/**
 * Splits what is pending into its batches. A partition is in a batch once; where it comes again,
 * the next batch begins.
 */
export function batchRangesOf(pending: PendingInsert): readonly (readonly OffsetRange[])[] {
  const batches: OffsetRange[][] = [];
  let seen = new Set<string>();
  let batch: OffsetRange[] = [];
  for (const range of pending.ranges) {
    if (seen.has(range.partition)) {
      batches.push(batch);
      batch = [];
      seen = new Set();
    }
    seen.add(range.partition);
    batch.push(range);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** For each partition the first and the last offset over all batches of `pending`. */
export function extentsOf(pending: PendingInsert): readonly OffsetRange[] {
  const extents = new Map<string, OffsetRange>();
  for (const { partition, first, last } of pending.ranges) {
    extents.set(partition, { partition, first: extents.get(partition)?.first ?? first, last });
  }
  return [...extents.values()];
}
