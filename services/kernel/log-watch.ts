/** How far a group is in one partition: `next` is the first offset that it has not committed. */
export interface GroupPlace {
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

/** What people who watch the log ask of it; reads only. */
export interface LogWatch {
  /** Names of the groups that have ever committed and begin with `prefix`, sorted. */
  groups(prefix: string): Promise<readonly string[]>;
  /** The places of a group in the topics that it has committed something in. */
  places(group: string): Promise<readonly GroupPlace[]>;
  /** The partitions of the topics that are there; those of missing topics are left out. */
  ranges(topics: readonly string[]): Promise<readonly LogRange[]>;
  /**
   * By `topic:partition` the offset of the first record whose time is `sinceMs` (epoch) or later;
   * the end of the partition where there is none.
   */
  firstSince(places: readonly GroupPlace[], sinceMs: number): Promise<ReadonlyMap<string, bigint>>;
}
