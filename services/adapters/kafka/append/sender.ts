import type { FramedRecord } from '../frame.ts';

/**
 * Sends one batch to one partition: idempotent, acks=all. The append path calls it for a partition
 * only after the call before has ended, and after a rejection with the very same records.
 */
export interface PartitionSender {
  /**
   * Resolves when every in-sync replica has the batch. Rejects with {@link BatchRefused} when the
   * broker will never take it; after any other rejection the outcome is unknown.
   */
  send(topic: string, partition: number, records: readonly FramedRecord[]): Promise<void>;
  /**
   * Undefined when a batch of the partition may leave now; else resolves when it may, so that more
   * records gather meanwhile. A batch that goes again does not ask.
   */
  room?(topic: string, partition: number): Promise<void> | undefined;
  close(): Promise<void>;
}

/** The broker answered that it did not and will not take this batch, however often it is sent. */
export class BatchRefused extends Error {
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(`the broker refuses the batch: ${reason}`, { cause });
    this.name = 'BatchRefused';
    this.reason = reason;
  }
}
