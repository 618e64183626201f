import { loseTables } from '../kinds/tables.ts';
import type { Scenario } from '../scenario.ts';

/** Every byte of the tables is gone; a backup has the most of it, and the log the rest. */
export const tablesDiskLost: Scenario = {
  name: 'tables-disk-lost',
  does: 'the directory of the tables is removed after a backup, and `rastro restore` brings it back',
  aims: ['I1', 'I2', 'I9', 'I14', 'I16'], seconds: 20, ownCluster: {},
  plan: () => [{ atMs: 4_000, forMs: 5_000, fault: loseTables() }],
};
