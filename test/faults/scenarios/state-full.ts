import { fullState, maySeeEviction } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** The memory of the state store is full; and once it is set to forget what it holds. */
export const stateFull: Scenario = {
  name: 'state-full',
  does: 'the state store refuses writes when its memory is full; a gateway starts on one that evicts',
  aims: ['I1', 'I7', 'I14'], seconds: 26,
  plan: () => [
    { atMs: 500, forMs: 8_000, fault: fullState() },
    { atMs: 11_000, forMs: 1_000, fault: maySeeEviction('gateway-1') },
  ],
};
