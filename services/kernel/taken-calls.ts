/** A call of a client that was answered with success, as who answered it hands it over. */
export interface TakenCall {
  readonly clientId: string;
  readonly operation: string;
  readonly atMs: number;
}

/** Takes them from the edge, and from what issues tokens. It never waits and never throws. */
export interface TakenCalls {
  report(call: TakenCall): void;
}

/** When an operation answered a client with success: first, and last to within ten minutes. */
export interface KeptTaken {
  readonly operation: string;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

/** Which operations have answered each client with success; no value of a call is in it. */
export interface TakenCallStore {
  /** Adds to what is kept of a client, in any order and any number of times. May reject. */
  keep(clientId: string, taken: readonly KeptTaken[]): Promise<void>;
  /** What is kept of a client. Rejects with `Unavailable`. */
  find(clientId: string): Promise<readonly KeptTaken[]>;
}
