import { freeze, kill } from '../kinds/processes.ts';
import { LIVE_CLUSTER } from '../kinds/live.ts';
import type { Scenario } from '../scenario.ts';

/**
 * The map and its offsets are in the memory of a process that does not live long; once it begins
 * again while the state store is seconds behind the log.
 */
export const liveKilled: Scenario = {
  name: 'live-killed',
  does: 'kill -9 of the live gateway, three times, once while no worker moves, with viewers',
  aims: ['I20'], seconds: 30, ownCluster: LIVE_CLUSTER,
  plan: () => [
    { atMs: 3_000, fault: kill('gateway-live') },
    { atMs: 12_000, forMs: 8_000, fault: freeze('workers-1') },
    { atMs: 12_000, forMs: 8_000, fault: freeze('workers-2') },
    { atMs: 14_000, fault: kill('gateway-live') },
    { atMs: 29_000, fault: kill('gateway-live') },
  ],
};
