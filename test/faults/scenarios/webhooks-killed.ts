import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';
import { WEBHOOK_STEPS } from '../kinds/failpoints.ts';
import { oneByOne } from '../kinds/one-by-one.ts';
import { receiverMood } from '../kinds/party.ts';
import { freeze, kill, killAt } from '../kinds/processes.ts';
import { flushState } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** Two senders of webhooks, neither of which lives long, and receivers that are away. */
export const webhooksKilled: Scenario = {
  name: 'webhooks-killed',
  does: 'kill -9 of senders of webhooks around posts and results; one freezes past its lease, FLUSHALL, receivers fail and hang',
  aims: ['I19'], seconds: 95,
  ownCluster: { processes: [...PROCESS_NAMES, 'webhooks', 'webhooks-2'], hasWebhooks: true },
  plan: (dice) => [
    ...oneByOne(dice, WEBHOOK_STEPS, 8_000, (step) => killAt('webhooks', step)),
    // Longer than the lease of an outbox: the other one has sent what this one holds.
    { atMs: 4_000, forMs: 36_000, fault: freeze('webhooks-2') },
    { atMs: 42_000, fault: flushState() },
    { atMs: 48_000, forMs: 12_000, fault: receiverMood('failing') },
    { atMs: 64_000, forMs: 12_000, fault: receiverMood('silent') },
    { atMs: 70_000, fault: kill('webhooks') },
    { atMs: 74_000, fault: kill('webhooks-2') },
  ],
};
