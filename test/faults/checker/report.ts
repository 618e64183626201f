/** Names of the invariants of a run, in their order. */
export const INVARIANTS = [
  'I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11', 'I12', 'I13', 'I14', 'I15',
  'I16', 'I17', 'I18', 'I19', 'I20', 'I21',
] as const;

/** The name of one invariant. */
export type InvariantName = (typeof INVARIANTS)[number];

/**
 * What went wrong, in one word.
 * - lost: answered ok, and nowhere. unaccounted: in the log, but in no store.
 * - undue-dead-letter: a dead letter, though it was good. duplicate: stored twice.
 * - phantom: stored, but never asked for, or refused. altered: stored not as it was sent.
 * - stale-accept, early-accept: accepted after a stop or revocation, or before a start.
 * - state-differs: the store is not what the log says.
 * - shown-differs: a receipt says of an item what did not become of it.
 * - unsigned: posted with a signature that its secret does not make.
 * - map-differs, stale-map: a map of a live feed is not what the log says, at the end or after the
 *   heal. undue-reset: a feed began again, though it could go on.
 * - command-doubled: one key, and more than one command of it, in the log, in answers or at the
 *   provider.
 */
export type ViolationKind =
  | 'lost' | 'unaccounted' | 'undue-dead-letter' | 'duplicate' | 'phantom' | 'altered'
  | 'rebuild-differs' | 'state-differs'
  | 'double-201' | 'double-200' | 'id-mismatch' | 'shared-number'
  | 'stale-accept' | 'early-accept'
  | 'final-violation' | 'order-violation'
  | 'command-reorder' | 'command-dropped' | 'command-doubled' | 'retried-after-4xx'
  | 'wrong-owner' | 'foreign-accept'
  | 'unbounded' | 'slow-answer' | 'forbidden-code' | 'leak' | 'never-quiet' | 'shutdown-error'
  | 'crash-loop' | 'unsigned' | 'map-differs' | 'stale-map' | 'undue-reset'
  | 'shown-differs';

/** One thing that must not be, with the call and the record that show it. */
export interface Violation {
  readonly invariant: InvariantName;
  readonly kind: ViolationKind;
  /** Whole sentences for people: what was promised, what was found, and where. */
  readonly explanation: string;
}

/** The result of one invariant; `examined` is how many things were checked for it. */
export interface InvariantVerdict {
  readonly invariant: InvariantName;
  readonly examined: number;
  readonly violations: readonly Violation[];
}

/** The result of a whole run. */
export interface CheckReport {
  readonly verdicts: readonly InvariantVerdict[];
  /** Items by their outcome, and how much was read, for the table of results. */
  readonly counts: Readonly<Record<string, number>>;
}
