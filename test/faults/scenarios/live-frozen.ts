import { freeze } from '../kinds/processes.ts';
import { LIVE_CLUSTER } from '../kinds/live.ts';
import type { Scenario } from '../scenario.ts';

/** Lines stay open and nothing comes on them, and then everything at once. */
export const liveFrozen: Scenario = {
  name: 'live-frozen',
  does: 'SIGSTOP of the live gateway for a moment, then for longer than a mark may take',
  aims: ['I20'], seconds: 34, ownCluster: LIVE_CLUSTER,
  plan: () => [
    { atMs: 2_000, forMs: 4_000, fault: freeze('gateway-live') },
    { atMs: 12_000, fault: freeze('gateway-live') },
  ],
};
