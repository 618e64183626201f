import { failOver, killPrimary, restartReplica } from '../kinds/failover.ts';
import type { Scenario } from '../scenario.ts';

/** The primary dies and another server takes over, which may lack what was answered last. */
export const stateFailover: Scenario = {
  name: 'state-failover',
  does: 'kill -9 of the primary under Sentinels, which promote a replica; later kills and restarts',
  aims: ['I1', 'I3', 'I4', 'I5', 'I7', 'I14'], seconds: 45, ownCluster: { state: 'sentinel' },
  plan: (dice) => [
    { atMs: 3_000, forMs: 4_000, fault: failOver(dice) },
    { atMs: 22_000, forMs: 2_000, fault: restartReplica(dice) },
    { atMs: 32_000, fault: killPrimary(dice) },
  ],
};
