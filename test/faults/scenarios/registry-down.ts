import { stopPart } from '../kinds/parts.ts';
import { kill } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** No process can ask for schemas, also not one that starts. */
export const registryDown: Scenario = {
  name: 'registry-down', does: 'the registry is down while a gateway and workers are killed',
  aims: ['I1', 'I14', 'I16'], seconds: 22,
  plan: () => [
    { atMs: 500, forMs: 18_000, fault: stopPart('registry') },
    { atMs: 5_000, fault: kill('gateway-1') },
    { atMs: 6_000, fault: kill('workers-1') },
  ],
};
