/** Why a store refused an insert for good: the data of one line, or of a line not named. */
export interface RowRejection {
  readonly kind: 'rejected';
  /** Zero-based line of the culprit when the store names it. */
  readonly line: number | undefined;
  readonly detail: string;
}

/** Result of an insert that the store answered. */
export type InsertAnswer = { readonly kind: 'stored' } | RowRejection;

/**
 * Writes whole batches to the analytical store. `token` identifies the batch: the same token again
 * changes nothing. Rejects with `Unavailable` `sink_unavailable` for everything that may pass by
 * itself.
 */
export interface RowSink {
  insert(table: string, lines: readonly Uint8Array[], token: string): Promise<InsertAnswer>;
}

/**
 * Ranges of the log that are being inserted as one batch, kept outside the process so that after a
 * crash exactly the same batch is formed again.
 */
export interface PendingInserts {
  load(partitions: readonly string[]): Promise<ReadonlyMap<string, PendingInsert>>;
  store(insert: PendingInsert): Promise<void>;
  clear(insert: PendingInsert): Promise<void>;
}

/**
 * One batch: an inclusive offset range for each partition, named `topicId:partition`. A partition
 * that comes again begins the next batch, so that batches not committed yet are kept together.
 */
export interface PendingInsert {
  readonly ranges: readonly { partition: string; first: bigint; last: bigint }[];
}
