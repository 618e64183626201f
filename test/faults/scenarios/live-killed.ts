import { kill } from '../kinds/processes.ts';
import { LIVE_CLUSTER } from '../kinds/live.ts';
import type { Scenario } from '../scenario.ts';

/** The map and the place in the log are in the memory of a process that does not live long. */
export const liveKilled: Scenario = {
  name: 'live-killed',
  does: 'kill -9 of the live gateway, three times, while its viewers follow',
  aims: ['I20'], seconds: 30, ownCluster: LIVE_CLUSTER,
  plan: () => [3_000, 14_000, 29_000].map((atMs) => ({ atMs, fault: kill('gateway-live') })),
};
