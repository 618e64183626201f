/** Where the log keeps a record. Offsets are decimal integers that may exceed 2^53. */
export interface RecordPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}
