import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';
import { restartOneByOne } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** Every process is ended by SIGTERM and started again, one after the other. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  does: 'SIGTERM of every process in turn, as an upgrade would',
  aims: ['I1', 'I14', 'I17'], seconds: 3, isBalanced: true,
  plan: () => [{ atMs: 0, fault: restartOneByOne(PROCESS_NAMES) }],
};
