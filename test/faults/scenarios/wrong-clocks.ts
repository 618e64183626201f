import { wrongClock } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

const HOUR_MS = 3_600_000;

/** Clocks of processes jump, to both sides and back. */
export const wrongClocks: Scenario = {
  name: 'wrong-clocks', does: 'the clocks of a gateway and of workers are off by hours',
  aims: ['I1', 'I3', 'I7', 'I8', 'I14'], seconds: 26,
  plan: () => [
    { atMs: 500, forMs: 6_000, fault: wrongClock('gateway-1', 5 * 60_000) },
    { atMs: 7_000, forMs: 6_000, fault: wrongClock('gateway-2', -2 * HOUR_MS) },
    { atMs: 8_000, forMs: 9_000, fault: wrongClock('workers-1', 2 * HOUR_MS) },
    { atMs: 18_000, forMs: 6_000, fault: wrongClock('parties', HOUR_MS) },
  ],
};
