import type { LogRecord, UndecodableRecord } from './record-log.ts';

/** Progress of a group in one partition: `next` is the first offset that it has not committed. */
export interface GroupOffset {
  readonly topic: string;
  readonly partition: number;
  readonly start: bigint;
  readonly next: bigint;
  readonly end: bigint;
}

/** First and next offset of a partition: the records are at `start` up to before `end`. */
export interface LogRange {
  readonly topic: string;
  readonly partition: number;
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * Read-only inspection of the log. Rejects with `Unavailable`
 * `log_unavailable`.
 */
export interface LogWatch {
  /** Names of the groups that have ever committed and begin with `prefix`, sorted. */
  groups(prefix: string): Promise<readonly string[]>;
  /**
   * The offsets of a group in these topics, or in those that it has committed something in. Where
   * it has committed nothing, `next` is the first record.
   */
  offsets(group: string, topics?: readonly string[]): Promise<readonly GroupOffset[]>;
  /** The partitions of the topics that are there; those of missing topics are left out. */
  ranges(topics: readonly string[]): Promise<readonly LogRange[]>;
  /**
   * By `topic:partition` the offset of the first record whose time is `sinceMs` (epoch) or later;
   * the end of the partition where there is none.
   */
  firstSince(
    offsets: readonly GroupOffset[], sinceMs: number,
  ): Promise<ReadonlyMap<string, bigint>>;
}

/** Current members of a group. `isStable`: no member is about to join or leave. */
export interface GroupMembers {
  readonly group: string;
  readonly members: readonly string[];
  readonly isStable: boolean;
}

/** Asks which members groups have; the names of members mean nothing else. */
export interface GroupWatch {
  members(prefix: string): Promise<readonly GroupMembers[]>;
}

/** Reads parts of the log outside of any group: what one key has, or the newest records. */
export interface LogRangeReader {
  /**
   * Reads from `start` to before `end` of each range, records of one partition in order. Ranges of
   * one partition do not overlap and come in order; what lies between them is not read.
   */
  readRanges(
    ranges: readonly LogRange[],
    onRecords: (records: readonly (LogRecord | UndecodableRecord)[]) => Promise<void>,
  ): Promise<void>;
  /** The partition of a key in a topic of so many. */
  partitionOf(key: string, partitions: number): number;
}
