import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';
import { freeze, freezeAt, kill } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** Two command senders, each of which believes at some time that it alone may send. */
export const twoSenders: Scenario = {
  name: 'two-senders',
  does: 'one of two senders freezes amid a call past its right, wakes up, and the other dies',
  aims: ['I10'], seconds: 48,
  ownCluster: { processes: [...PROCESS_NAMES, 'parties-2'] },
  plan: () => [
    { atMs: 0, forMs: 15_000, fault: freezeAt('parties', 'outbound.before//rtt/commands', 2) },
    { atMs: 18_000, forMs: 12_000, fault: freezeAt(
      'parties-2', 'kafka.before-send/provider.command-results.v1', 2) },
    { atMs: 32_000, fault: kill('parties') },
    { atMs: 36_000, forMs: 10_000, fault: freeze('parties-2') },
  ],
};
