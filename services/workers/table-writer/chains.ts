import type { CommitOffset } from '../../kernel/record-log.ts';
import type { PendingInsert } from '../../kernel/row-sink.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { batchRangesOf, extentsOf, partitionName, type OffsetRange } from './ranges.ts';

/** Records by partition, oldest first. */
export type Held = ReadonlyMap<string, readonly ConsumedRecord[]>;

/** Records that are inserted together, in the order of `ranges`. */
export interface Batch {
  readonly ranges: readonly OffsetRange[];
  readonly records: readonly ConsumedRecord[];
}

/** Batches of the same partitions, in order. `pending` is how they are remembered together. */
export interface Chain {
  readonly pending: PendingInsert;
  readonly batches: readonly Batch[];
  /** False when the store of pending inserts already holds exactly this. */
  readonly isNew: boolean;
}

/** What may be committed once every batch of the chain is in the store. */
export function offsetsOf(chain: Chain): readonly CommitOffset[] {
  const ends = new Map<string, CommitOffset>();
  for (const { records } of chain.batches) {
    for (const record of records) {
      const { topic, partition, offset } = record;
      ends.set(partitionName(record), { topic, partition, nextOffset: offset + 1n });
    }
  }
  return [...ends.values()];
}

/** Takes the partitions of `pending` out of `free`: its batches, then what came after them. */
export function reformed(
  pending: PendingInsert, free: Map<string, readonly ConsumedRecord[]>,
): Chain {
  const batches: Batch[] = batchRangesOf(pending).map((ranges) => ({
    ranges,
    records: ranges.flatMap(({ partition, first, last }) => (
      (free.get(partition) ?? []).filter(({ offset }) => offset >= first && offset <= last)
    )),
  }));
  const later = new Map<string, readonly ConsumedRecord[]>();
  for (const { partition, last } of extentsOf(pending)) {
    later.set(partition, (free.get(partition) ?? []).filter(({ offset }) => offset > last));
    free.delete(partition);
  }
  const previous = batches.at(-1)?.ranges ?? [];
  const rest = freshBatch(later, previous.map(({ partition }) => partition));
  if (rest === undefined) return { pending, batches, isNew: false };
  const ranges = [...batchBreak(previous, rest.ranges), ...rest.ranges];
  batches.push({ ranges, records: rest.records });
  return { pending: { ranges: [...pending.ranges, ...ranges] }, batches, isNew: true };
}

/**
 * A batch begins where a partition comes again (see `batchRangesOf`). Where none does,
 * an empty range of the batch before says so.
 */
function batchBreak(
  previous: readonly OffsetRange[], ranges: readonly OffsetRange[],
): readonly OffsetRange[] {
  const [anchor] = previous;
  const begins = previous.some(({ partition }) => partition === ranges[0]?.partition);
  if (begins || anchor === undefined) return [];
  return [{ partition: anchor.partition, first: anchor.last + 1n, last: anchor.last }];
}

/** One batch of everything, partitions of `leading` first; undefined when there is nothing. */
export function freshBatch(held: Held, leading: readonly string[] = []): Batch | undefined {
  const ranges: OffsetRange[] = [];
  const records: ConsumedRecord[] = [];
  const names = [...held.keys()].sort();
  const ordered = [
    ...names.filter((name) => leading.includes(name)),
    ...names.filter((name) => !leading.includes(name)),
  ];
  for (const partition of ordered) {
    const own = held.get(partition) ?? [];
    const first = own[0]?.offset;
    const last = own.at(-1)?.offset;
    if (first === undefined || last === undefined) continue;
    ranges.push({ partition, first, last });
    for (const record of own) records.push(record);
  }
  return ranges.length === 0 ? undefined : { ranges, records };
}
