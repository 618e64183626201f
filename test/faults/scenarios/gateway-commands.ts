import { killAt } from '../kinds/processes.ts';
import { onTheWayToTheLog } from '../kinds/connections.ts';
import type { Scenario } from '../scenario.ts';

/** Every moment at which a platform cannot know whether its command was taken. */
export const gatewayCommands: Scenario = {
  name: 'gateway-commands',
  does: 'gateways killed around the claim and the append of a command, and answers of the log cut',
  aims: ['I10'], seconds: 20, isSmoke: false,
  plan: (dice) => [
    { atMs: 0, forMs: 6_000, fault: killAt(
      'gateway-1', 'redis.after/commit-command-key', 1) },
    { atMs: 500, forMs: 5_000, fault: killAt(
      'gateway-2', 'kafka.after-ack/provider.commands.v1', dice.between(1, 2)) },
    { atMs: 7_000, forMs: 6_000, fault: killAt(
      'gateway-1', 'http.before-answer/send-command', dice.between(1, 3)) },
    { atMs: 7_000, forMs: 5_000, fault: onTheWayToTheLog(
      'gateway-2', { kind: 'cut', way: 'to-client', bytes: 0, times: 8 }) },
  ],
};
