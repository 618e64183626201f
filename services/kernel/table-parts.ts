/** The parts of one table that are in use. */
export interface TableParts {
  readonly table: string;
  readonly parts: number;
  /** Most parts of one partition: by this number a store slows inserts down and refuses them. */
  readonly partitionPartsMax: number;
}

/** Tells of how many parts the tables are. Rejects with `Unavailable` `sink_unavailable`. */
export interface TablePartsReader {
  read(): Promise<readonly TableParts[]>;
}
