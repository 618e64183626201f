import type { LimitName } from './admission.ts';

/** A call of a known client that was refused, as the edge hands it over. */
export interface RefusedCall {
  readonly clientId: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly atMs: number;
  /** Where the faults are, as they were answered. */
  readonly pointers: readonly string[];
  /** The limit that it was above; kept as a pointer, `/limits/NAME`. */
  readonly limit?: LimitName | undefined;
}

/** Takes refused calls from the edge. It never waits and never throws. */
export interface RefusedCalls {
  report(call: RefusedCall): void;
}

/**
 * Refused calls of one client that are alike: of one hour, operation, status, code and place. It
 * holds no value of a call, and of pointers only names of the interface and of limits, and numbers
 * of items.
 */
export interface KeptRefusals {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly pointers: readonly string[];
  readonly count: number;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

/** The refused calls of each client that are kept for a while. */
export interface RefusalStore {
  /** Adds to what is kept of a client; beyond the limits the oldest goes. May reject. */
  keep(clientId: string, refusals: readonly KeptRefusals[]): Promise<void>;
  /** What is kept of a client, the newest first. */
  find(clientId: string): Promise<readonly KeptRefusals[]>;
}
