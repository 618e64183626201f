/** What one partition of a table holds, duplicates resolved. */
export interface TablePartition {
  readonly table: string;
  readonly partition: string;
  readonly rows: number;
  /** Sum over its rows that does not depend on their order, as decimal text. */
  readonly hash: string;
}

/**
 * What only a rebuild does to the analytical store. Rejects with `Unavailable` `sink_unavailable`
 * when it cannot be reached.
 */
export interface TableUpkeep {
  /**
   * Every partition of every table that is filled from the log, in the order of their names; with
   * `among`, of these only.
   */
  partitions(
    among?: readonly Pick<TablePartition, 'table' | 'partition'>[],
  ): Promise<readonly TablePartition[]>;
  /** How many rows of a partition in `database` are not in the same partition here. */
  lacking(at: Pick<TablePartition, 'table' | 'partition'>, database: string): Promise<number>;
}
