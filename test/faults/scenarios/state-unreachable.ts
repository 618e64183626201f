import { hangPart } from '../kinds/parts.ts';
import { onTheWayToState } from '../kinds/connections.ts';
import type { Scenario } from '../scenario.ts';

/** The state store is slow, hangs, or its answers get lost. */
export const stateUnreachable: Scenario = {
  name: 'state-unreachable',
  does: 'the state store answers late, never, or is cut off amid an answer',
  aims: ['I4', 'I5', 'I7', 'I13', 'I14'], seconds: 32,
  plan: (dice) => [
    { atMs: 0, forMs: 6_000, fault: onTheWayToState('gateway-1', { kind: 'delay', ms: 1_500 }) },
    { atMs: 7_000, forMs: 5_000, fault: onTheWayToState('gateway-2', {
      kind: 'cut', way: 'to-client', bytes: dice.between(0, 60), times: 15,
    }) },
    { atMs: 13_000, forMs: 8_000, fault: hangPart('redis') },
    { atMs: 23_000, forMs: 6_000, fault: onTheWayToState(
      'workers', { kind: 'cut', way: 'to-client', bytes: dice.between(0, 60), times: 15 }) },
  ],
};
