import { LIVE_CLUSTER } from '../kinds/live.ts';
import { kill } from '../kinds/processes.ts';
import { flushState } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** Viewers do not need the state store, but a map that begins does. */
export const liveStateWiped: Scenario = {
  name: 'live-state-wiped',
  does: 'FLUSHALL while viewers follow, and again as the live gateway is killed and begins',
  aims: ['I20'], seconds: 30, ownCluster: LIVE_CLUSTER,
  plan: () => [
    { atMs: 2_000, fault: flushState() },
    { atMs: 14_000, fault: kill('gateway-live') },
    { atMs: 14_200, fault: flushState() },
    { atMs: 29_000, fault: kill('gateway-live') },
    { atMs: 29_500, fault: flushState() },
  ],
};
