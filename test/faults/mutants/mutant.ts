import type { InvariantName } from '../checker/report.ts';
import type { Patch } from '../cluster/copy-product.ts';

/**
 * A defect put into a copy of the product on purpose. A run with `scenario` must turn red, and the
 * checker must name `breaks`; else the checker proves nothing.
 */
export interface Mutant {
  readonly name: string;
  /** What an author might believe in good faith when writing it. */
  readonly why: string;
  /** The invariants by which it may be named; one of them is enough. */
  readonly breaks: readonly InvariantName[];
  /** The scenario of `test/faults/scenarios` that exposes it. */
  readonly scenario: string;
  /** The changes, all of them applied. */
  readonly patches: readonly Patch[];
}
