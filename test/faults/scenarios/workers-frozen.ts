import { freeze, freezeAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** A worker that its group has given up wakes up amid its batch: a zombie. */
export const workersFrozen: Scenario = {
  name: 'workers-frozen',
  does: 'SIGSTOP of workers past the session timeout, right before insert and commit',
  aims: ['I1', 'I2', 'I8', 'I9'], seconds: 36,
  plan: () => [
    { atMs: 0, forMs: 16_000, fault: freezeAt('workers-1', 'clickhouse.before/in_locations') },
    { atMs: 18_000, forMs: 14_000, fault: freezeAt(
      'workers-2', 'consumer.before-commit/rastro.journey') },
    { atMs: 20_000, forMs: 8_000, fault: freeze('parties') },
  ],
};
