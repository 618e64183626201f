/** The parts of one table that are in use. */
export interface TableParts {
  readonly table: string;
  readonly parts: number;
  /** Most parts of one partition: by this number a store slows inserts down and refuses them. */
  readonly partitionPartsMax: number;
}

/** Counts the parts of the tables. Rejects with `Unavailable` `sink_unavailable`. */
export interface TablePartsReader {
  read(): Promise<readonly TableParts[]>;
}
