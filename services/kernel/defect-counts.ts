/**
 * How often the process of one worker ended at a record by a defect of ours. Kept outside of the
 * process, because the process that knows of it ends. Names are those of `formatRecordId`.
 */
export interface DefectCounts {
  load(): Promise<ReadonlyMap<string, number>>;
  /** Counts one more for each. */
  add(names: readonly string[]): Promise<void>;
  /** Forgets records that were applied after all. */
  clear(names: readonly string[]): Promise<void>;
}
