import { passOffsets } from '../kinds/log-surgery.ts';
import type { Scenario } from '../scenario.ts';

/** Records are gone before they were stored: an operator must hear of it. */
export const retentionPassed: Scenario = {
  name: 'retention-passed',
  does: 'retention deletes locations that the table-writer has not read: it stops and says so',
  aims: ['I2', 'I14'], seconds: 16, ownCluster: {}, allows: ['log-lost', 'stands-still'],
  mustSay: ['OFFSET_OUT_OF_RANGE'],
  plan: () => [
    { atMs: 3_000, forMs: 9_000, fault: passOffsets('rastro.table-writer', 'rtt.locations.v1') },
  ],
};
