import type { Dice } from '../../faults/dice.ts';
import type { Things } from '../../support/isolation/calls.ts';
import type { AllGateways } from './all-gateways.ts';
import type { Markers } from './markers.ts';

/** Names of what one account has, for the calls of a test; names of nothing where it has none. */
export interface Planted extends Things {
  /** An authorization that the platform asked a carrier for. */
  readonly call: string;
  /** A device that only the feeds have. */
  readonly followed: string;
  /** Why something of it became a dead letter, which operators alone read. */
  readonly detail: string;
}

/** Where things are planted. */
export interface Planting {
  readonly at: AllGateways;
  readonly dice: Dice;
  readonly markers: Markers;
}
