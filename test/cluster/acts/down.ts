import type { Act } from '../../containers/acts/act.ts';
import { leaveProcess } from '../../containers/acts/left.ts';
import { leftBy, type MachineState } from '../../containers/machine/traces.ts';

/** What of a cluster its end needs. */
export interface EndingStage {
  readonly runId: string;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** Down, and the machine as it was before the first act. */
export function clusterDown(before: MachineState): Act<EndingStage> {
  return {
    name: 'down',
    does: 'ends everything: no process, mount, address or control group is left',
    async run(stage) {
      await stage.close();
      return { seen: 'the machine is as it was', complaints: await leftBy(stage, before) };
    },
    offences: [{ name: 'a process is left', seed: leaveProcess, said: /left the process \d+ \(.*setInterval/ }],
  };
}
