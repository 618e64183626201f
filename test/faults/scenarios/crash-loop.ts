import { defectStrikes, TABLE_WRITER_DEFECT } from '../kinds/defects.ts';
import type { Scenario } from '../scenario.ts';

const ENDS = 3;

/** A record at which the workers end each time; what is behind it must go on (ADR 0049). */
export const crashLoop: Scenario = {
  name: 'crash-loop',
  does: `a defect of the table writer ends workers ${ENDS} times at one record, which becomes a dead letter`,
  aims: ['I1', 'I2', 'I16', 'I18'], seconds: 15, endsAtRecordMax: ENDS, mustSay: ['"defect"'],
  ownCluster: {
    changed: { names: ['workers-1', 'workers-2'], patches: [TABLE_WRITER_DEFECT] },
  },
  plan: () => [{ atMs: 0, fault: defectStrikes(ENDS) }],
};
