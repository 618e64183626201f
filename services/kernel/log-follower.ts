import type { LogRecord, TopicPartition, UndecodableRecord } from './record-log.ts';

/** A partition and the offset of the record that is read next. */
export interface FollowedPartition extends TopicPartition {
  readonly next: bigint;
}

/** A partition with its id, its first offset and the one behind its last record. */
export interface PartitionExtent extends TopicPartition {
  readonly start: bigint;
  readonly end: bigint;
}

/** The log does not have a followed place any more: cut by retention, or its topic made again. */
export class LogCut extends Error {
  override readonly name = 'LogCut';
}

/**
 * Reads the log as it grows, outside of any group, so that any number of copies may. Nothing is
 * committed: who follows keeps its own place.
 */
export interface LogFollower {
  /** Where these topics' partitions begin and end now. Rejects with `log_unavailable`. */
  extents(topics: readonly string[]): Promise<readonly PartitionExtent[]>;
  /** What a group has committed in these topics, by `topic:partition`. */
  committed(group: string, topics: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Hands over every record from these places on, those of one partition in order, until `left` is
   * aborted. Outages are waited for. Rejects with {@link LogCut}, and with what `onRecords`
   * throws.
   */
  follow(
    from: readonly FollowedPartition[],
    onRecords: (records: readonly (LogRecord | UndecodableRecord)[]) => void,
    left: AbortSignal,
  ): Promise<void>;
}
