import type { Simulation } from './simulation.ts';

/** What a model checks when everything is over. */
export interface ModelChecks {
  /** True when nothing is left to be done; the groups are caught up by then. */
  readonly isQuiet?: () => boolean;
  /** Every invariant that was broken, in words; begins with the name of its invariant. */
  readonly check: () => readonly string[];
}

/**
 * One part of the product in a simulation: processes, clients, and the invariants that must hold.
 */
export interface Model {
  readonly name: string;
  /**
   * Answers that some schedule must have seen, as `op status`, so that the invariants have
   * something to check.
   */
  readonly mustAnswer: readonly string[];
  readonly build: (simulation: Simulation) => ModelChecks;
}
