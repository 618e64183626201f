import { onTheWayToTheLog } from '../kinds/connections.ts';
import type { Scenario } from '../scenario.ts';

/** The broker has the records, and no client hears of it; or it never gets them whole. */
export const lostAcknowledgements: Scenario = {
  name: 'lost-acknowledgements',
  does: 'connections to the log are reset after the request and before the answer, and within it',
  aims: ['I1', 'I2', 'I4', 'I9'], seconds: 16, isSmoke: true,
  plan: (dice) => [
    { atMs: 0, forMs: 5_000, fault: onTheWayToTheLog(
      'gateway-1', { kind: 'cut', way: 'to-client', bytes: 0, times: 12 }) },
    { atMs: 1_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-2', {
      kind: 'cut', way: 'to-server', bytes: dice.between(100, 900), times: 12,
    }) },
    { atMs: 8_000, forMs: 6_000, fault: onTheWayToTheLog(
      'workers', { kind: 'cut', way: 'to-client', bytes: dice.between(0, 2_000), times: 20 }) },
  ],
};
