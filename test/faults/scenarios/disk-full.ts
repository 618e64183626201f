import { fullDisk } from '../kinds/disks.ts';
import type { Scenario } from '../scenario.ts';

/** First the tables and then the log have no room; both get some again. */
export const diskFull: Scenario = {
  name: 'disk-full', does: 'the disk of the tables is full, then that of the only broker',
  aims: ['I1', 'I2', 'I14', 'I16'], seconds: 32, ownCluster: { hasSmallDisks: true },
  plan: () => [
    { atMs: 1_000, forMs: 10_000, fault: fullDisk('tables') },
    { atMs: 14_000, forMs: 14_000, fault: fullDisk('log') },
  ],
};
