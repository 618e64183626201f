import { onTheWayToTheLog } from '../kinds/connections.ts';
import { LIVE_CLUSTER } from '../kinds/live.ts';
import type { Scenario } from '../scenario.ts';

/** The live gateway has viewers and no log: what it shows is old, and must not stay so. */
export const liveLogCut: Scenario = {
  name: 'live-log-cut',
  does: 'the way of the live gateway to the log is cut again and again, half-open, one-way, gone',
  aims: ['I20'], seconds: 44, ownCluster: LIVE_CLUSTER,
  plan: (dice) => [
    { atMs: 1_000, forMs: 6_000, fault: onTheWayToTheLog(
      'live', { kind: 'cut', way: 'to-client', bytes: dice.between(0, 2_000), times: 20 }) },
    { atMs: 9_000, forMs: 7_000, fault: onTheWayToTheLog('live', { kind: 'half-open' }) },
    { atMs: 18_000, forMs: 9_000, fault: onTheWayToTheLog(
      'live', { kind: 'blackhole', ways: ['to-client'] }) },
    { atMs: 32_000, fault: onTheWayToTheLog('live', { kind: 'refuse' }) },
  ],
};
