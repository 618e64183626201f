import type { Patch } from '../../faults/cluster/copy-product.ts';

/** A protection taken out of a copy of the product: its offender must then do harm. */
export interface HostileMutant {
  readonly name: string;
  /** What an author might believe in good faith when writing it. */
  readonly why: string;
  readonly offender: string;
  readonly patches: readonly Patch[];
}
