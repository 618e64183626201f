import { restart } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** Every process is told to end and started again, one after the other. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  does: 'SIGTERM of every process in turn, as an upgrade would',
  aims: ['I1', 'I14', 'I17'], seconds: 25, isSmoke: true,
  plan: () => [
    { atMs: 0, fault: restart('gateway-1') },
    { atMs: 8_000, fault: restart('gateway-2') },
    { atMs: 14_000, fault: restart('workers-1') },
    { atMs: 19_000, fault: restart('workers-2') },
    { atMs: 20_000, fault: restart('dispatcher') },
  ],
};
