/** Up to where the records of one partition are in the state store. */
export interface CheckpointOffset {
  readonly topic: string;
  /** The id of the topic: an offset means nothing in another one of its name. */
  readonly topic_id: string;
  readonly partition: number;
  /** The first offset that may be missing, in decimal digits. */
  readonly next: string;
}

/** What the state store holds of the log, as it says itself. */
export interface Checkpoint {
  /** When it was kept, ms since epoch. */
  readonly at_ms: number;
  readonly offsets: readonly CheckpointOffset[];
}

/**
 * Checkpoints inside the state store: whatever a server has after a crash, or when it takes over,
 * it has all that was applied before the checkpoint that it has. Rejects with `Unavailable`.
 */
export interface Checkpoints {
  /**
   * Keeps what was applied before this call, in every shard. False when a server answers that is
   * not one of those that are marked as ready: it may lack what others were given.
   */
  keep(checkpoint: Checkpoint): Promise<boolean>;
  /** What all shards hold; undefined when one of them has no checkpoint. Needs no mark. */
  find(): Promise<Checkpoint | undefined>;
}
