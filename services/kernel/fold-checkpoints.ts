/** Up to where the records of a topic are in a fold, by partition. */
export interface FoldedTopic {
  readonly topic: string;
  /** Offsets mean nothing in another topic of its name. */
  readonly topic_id: string;
  /** The first offset that is not in the fold, in decimal digits, by partition. */
  readonly next: Readonly<Record<string, string>>;
}

/** What a worker has folded of some topics, and up to where: one holds only with the other. */
export interface FoldCheckpoint {
  /** Another form of the content counts as none. */
  readonly form: number;
  readonly topics: readonly FoldedTopic[];
  readonly content: unknown;
}

/**
 * Checkpoints of folds, by name, each written whole, so that an old one is only followed by a
 * longer tail. The log can bring all of it back. Rejects with `Unavailable` `state_unavailable`.
 */
export interface FoldCheckpoints {
  find(name: string): Promise<FoldCheckpoint | undefined>;
  keep(name: string, checkpoint: FoldCheckpoint): Promise<void>;
}
