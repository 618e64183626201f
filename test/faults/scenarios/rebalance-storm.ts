import { kill, restart } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** Partitions change hands all the time. */
export const rebalanceStorm: Scenario = {
  name: 'rebalance-storm',
  does: 'one of the two workers is killed or restarted every 5 s',
  aims: ['I1', 'I8', 'I9'], seconds: 30,
  plan: (dice) => Array.from({ length: 6 }, (_, nth) => {
    const name = nth % 2 === 0 ? 'workers-1' : 'workers-2';
    return {
      atMs: nth * 5_000, forMs: 4_500, fault: dice.chance(0.5) ? kill(name) : restart(name),
    };
  }),
};
