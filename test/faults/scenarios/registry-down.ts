import { stopPart } from '../kinds/parts.ts';
import { kill } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/**
 * No process can ask for schemas, also not one that starts. So long that one that ended instead of
 * waiting would end more often than I18 allows, also where a start takes six seconds.
 */
export const registryDown: Scenario = {
  name: 'registry-down', does: 'the registry is down while a gateway and workers are killed',
  aims: ['I1', 'I14', 'I16'], seconds: 44,
  plan: () => [
    { atMs: 500, forMs: 40_000, fault: stopPart('registry') },
    { atMs: 5_000, fault: kill('gateway-1') },
    { atMs: 6_000, fault: kill('workers-1') },
  ],
};
