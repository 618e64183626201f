import { LIVE_CLUSTER } from '../kinds/live.ts';
import { freeze, kill } from '../kinds/processes.ts';
import { flushState } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** Viewers do not need the state store, but a map that begins does. */
export const liveStateWiped: Scenario = {
  name: 'live-state-wiped',
  does: 'FLUSHALL while viewers follow, and twice right before the live gateway is killed',
  aims: ['I20'], seconds: 35, ownCluster: LIVE_CLUSTER,
  plan: () => [
    { atMs: 2_000, fault: flushState() },
    { atMs: 13_500, forMs: 9_000, fault: freeze('workers-1') },
    { atMs: 13_500, forMs: 9_000, fault: freeze('workers-2') },
    { atMs: 14_000, fault: flushState() },
    { atMs: 14_200, fault: kill('gateway-live') },
    { atMs: 33_000, fault: flushState() },
    { atMs: 33_500, fault: kill('gateway-live') },
  ],
};
