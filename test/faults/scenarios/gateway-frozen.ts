import { freezeAt, stallAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** A gateway stops between looking at a device and acting on what it saw. */
export const gatewayFrozen: Scenario = {
  name: 'gateway-frozen',
  does: 'SIGSTOP of a gateway after admission for longer than a stop takes, then SIGCONT',
  aims: ['I5', 'I7'], seconds: 30,
  plan: (dice) => [
    { atMs: 0, forMs: 12_000, fault: freezeAt('gateway-1', 'redis.after/admit', 3) },
    { atMs: 14_000, forMs: 5_000, fault: stallAt(
      'gateway-2', 'redis.after/admit', 4_000 + dice.between(0, 3_000), 5) },
    { atMs: 20_000, forMs: 8_000, fault: freezeAt(
      'gateway-1', 'kafka.before-send/rtt.locations.v1', 2) },
  ],
};
