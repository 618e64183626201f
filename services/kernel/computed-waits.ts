/** What one kind of computation in the tables has not caught up with. */
export interface ComputedWait {
  /** The table that it writes. */
  readonly table: string;
  /** Days or periods whose rows are newer than what was computed of them. */
  readonly waiting: number;
  /** Age of the oldest of these, in seconds; 0 when none waits. */
  readonly secondsMax: number;
}

/** Says what waits to be computed. Rejects with `Unavailable` `sink_unavailable`. */
export interface ComputedWaitsReader {
  read(): Promise<readonly ComputedWait[]>;
}
