import { flushState } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** Everything in the state store is gone from one moment to the next. */
export const stateWiped: Scenario = {
  name: 'state-wiped', does: 'FLUSHALL while everything works, twice',
  aims: ['I3', 'I4', 'I5', 'I7', 'I14'], seconds: 20, isSmoke: true,
  plan: (dice) => [
    { atMs: 1_000, fault: flushState() },
    { atMs: 8_000 + dice.between(0, 3_000), fault: flushState() },
  ],
};
