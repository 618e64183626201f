import type { LogRange } from '../../kernel/log-watch.ts';

type NumberedPartition = Pick<LogRange, 'topic' | 'partition'>;

/** What is asked about places in the log. */
export interface LogOffsets {
  /** Where each partition of the topics starts and ends now. */
  ranges(topics: readonly string[]): Promise<readonly LogRange[]>;
  /** Offsets that a group has committed, by `topic:partition`; partitions without are left out. */
  committed(group: string, topics: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** The same for every topic in which the group has committed anything. */
  committedEverywhere(group: string): Promise<ReadonlyMap<string, bigint>>;
  /** Offset of the first record since a time, by `topic:partition`; -1 where there is none. */
  firstSince(
    topicPartitions: readonly NumberedPartition[], sinceMs: number,
  ): Promise<ReadonlyMap<string, bigint>>;
}

/** What a client library answers about places in the log, asked once. */
export interface OffsetCalls extends Pick<LogOffsets, 'ranges' | 'firstSince'> {
  /** Every offset that the group has committed; below 0 where it has none. */
  committedBy(group: string): Promise<readonly (NumberedPartition & { readonly offset: bigint })[]>;
}

/** Asks again while a cluster under load does not know what it has just made. */
type Insist = <T>(what: string, action: () => Promise<T>) => Promise<T>;

/** Makes the questions about offsets, by `topic:partition`. */
export function createOffsets(calls: OffsetCalls, insist: Insist): LogOffsets {
  async function committed(
    group: string, topics?: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const wanted = topics === undefined ? undefined : new Set(topics);
    const offsets = await insist('committed', () => calls.committedBy(group));
    return new Map(offsets
      .filter(({ topic, offset }) => wanted?.has(topic) !== false && offset >= 0n)
      .map(({ topic, partition, offset }) => [`${topic}:${partition}`, offset] as const));
  }

  return {
    ranges: (topics) => insist('ranges', () => calls.ranges(topics)),
    committed,
    committedEverywhere: (group) => committed(group),
    firstSince: (topicPartitions, sinceMs) => (
      insist('firstSince', () => calls.firstSince(topicPartitions, sinceMs))
    ),
  };
}
