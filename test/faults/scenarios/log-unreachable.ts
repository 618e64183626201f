import { onTheWayToTheLog } from '../kinds/connections.ts';
import type { Scenario } from '../scenario.ts';

/** The network between the product and the log, in all its moods. */
export const logUnreachable: Scenario = {
  name: 'log-unreachable',
  does: 'the way to the log is slow, one-way, gone, half-open',
  aims: ['I1', 'I2', 'I13', 'I16'], seconds: 44,
  plan: () => [
    { atMs: 0, forMs: 8_000, fault: onTheWayToTheLog('gateway-1', { kind: 'delay', ms: 700 }) },
    { atMs: 9_000, forMs: 9_000, fault: onTheWayToTheLog(
      'gateway-2', { kind: 'blackhole', ways: ['to-client'] }) },
    { atMs: 19_000, forMs: 9_000, fault: onTheWayToTheLog(
      'workers', { kind: 'blackhole', ways: ['to-client', 'to-server'] }) },
    { atMs: 29_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-1', { kind: 'half-open' }) },
    { atMs: 36_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-1', { kind: 'refuse' }) },
    { atMs: 36_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-2', { kind: 'refuse' }) },
  ],
};
