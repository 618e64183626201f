import { killAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** Stored but not committed, decided but not stored. */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  does: 'kill -9 of workers after the insert and before the commit, and amid a journey',
  aims: ['I1', 'I2', 'I8', 'I9'], seconds: 14, isSmoke: true,
  plan: () => [
    { atMs: 0, forMs: 7_000, fault: killAt('workers-1', 'clickhouse.after/in_locations') },
    { atMs: 0, forMs: 7_000, fault: killAt('workers-2', 'redis.before/commit-shipment') },
    { atMs: 8_000, forMs: 6_000, fault: killAt(
      'workers-1', 'consumer.before-commit/rastro.journey') },
    { atMs: 8_000, forMs: 6_000, fault: killAt(
      'workers-2', 'consumer.before-commit/rastro.table-writer') },
  ],
};
