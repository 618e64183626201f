import { killPart } from '../kinds/parts.ts';
import { restartStateEmpty, restartStateOld } from '../kinds/state.ts';
import type { Scenario } from '../scenario.ts';

/** The state store dies, comes back empty, and comes back with the day before. */
export const stateRestarts: Scenario = {
  name: 'state-restarts',
  does: 'kill -9 of the state store, a restart without its file, a restart with an old file',
  aims: ['I3', 'I4', 'I5', 'I7', 'I14'], seconds: 34,
  plan: () => [
    { atMs: 500, fault: killPart('redis') },
    { atMs: 8_000, fault: restartStateEmpty() },
    { atMs: 16_000, forMs: 9_000, fault: restartStateOld() },
  ],
};
