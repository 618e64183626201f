/** One key of the state store in a form that is the same for the same facts. */
export interface StoredEntry {
  readonly name: string;
  /** What kind of thing it is: `client`, `token`, `device`, … */
  readonly kind: string;
  /** Its shard, 0 to 63. */
  readonly shard: number;
  /** Its content without what expires: current claims, limits, evidence. */
  readonly content: string;
  /** It leaves within days, and its like may have left already: absent is as right as there. */
  readonly isLeaving: boolean;
}

/**
 * What only a rebuild does to the state store, beside the ports of all processes. Only what the
 * log can bring back is seen here: no limits, leases, marks, queues, nor tokens past their end.
 * Rejects with `Unavailable` `state_unavailable`.
 */
export interface StateUpkeep {
  /** Every entry once or more; entries that come or go meanwhile may be left out. */
  scan(onEntries: (entries: readonly StoredEntry[]) => Promise<void>): Promise<void>;
  /** The entries of these names that exist and count. */
  read(names: readonly string[]): Promise<readonly StoredEntry[]>;
  /** Takes the ready marks away in every shard: every call is a fault from now on. */
  withdrawMarks(): Promise<void>;
  /** Removes the entries whose kind is not in `kept`; answers how many. */
  clear(kept: readonly string[]): Promise<number>;
  /**
   * Empties a store that is a shadow, and marks it as one. False, and nothing done, when it holds
   * something else.
   */
  claimShadow(): Promise<boolean>;
}
