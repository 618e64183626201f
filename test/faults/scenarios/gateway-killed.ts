import { killAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** The three places that matter most: before the log, after it, and right before the answer. */
export const gatewayKilled: Scenario = {
  name: 'gateway-killed',
  does: 'kill -9 of a gateway before the send, after the acknowledgement, before the answer',
  aims: ['I1', 'I2', 'I4', 'I5', 'I7'], seconds: 16, isSmoke: true,
  plan: (dice) => [
    { atMs: 0, forMs: 5_000, fault: killAt(
      'gateway-1', 'kafka.before-send/rtt.locations.v1', dice.between(1, 4)) },
    { atMs: 500, forMs: 6_000, fault: killAt(
      'gateway-2', 'kafka.after-ack/rtt.device-lifecycle.v1', dice.between(1, 2)) },
    { atMs: 8_000, forMs: 7_000, fault: killAt(
      'gateway-1', 'kafka.after-ack/oauth.tokens.v1', dice.between(1, 2)) },
    { atMs: 9_000, forMs: 7_000, fault: killAt(
      'gateway-2', 'http.before-answer/send-locations', dice.between(1, 4)) },
  ],
};
