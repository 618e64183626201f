import { failOver, killPrimary, restartReplica } from '../kinds/failover.ts';
import type { Scenario } from '../scenario.ts';

/** One of three primaries dies; the others have nothing to do with it. */
export const stateCluster: Scenario = {
  name: 'state-cluster',
  does: 'kill -9 of a primary of a Redis Cluster of six, its replica takes over; later restarts',
  aims: ['I1', 'I3', 'I4', 'I5', 'I7', 'I14'], seconds: 45, ownCluster: { state: 'cluster' },
  plan: (dice) => [
    { atMs: 3_000, forMs: 4_000, fault: failOver(dice) },
    { atMs: 22_000, forMs: 2_000, fault: restartReplica(dice) },
    { atMs: 32_000, fault: killPrimary(dice) },
  ],
};
