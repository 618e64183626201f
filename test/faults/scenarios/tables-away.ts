import { hangPart, stopPart } from '../kinds/parts.ts';
import type { Scenario } from '../scenario.ts';

/** The analytical store hangs, and is away for a while: the lag grows and nothing else. */
export const tablesAway: Scenario = {
  name: 'tables-away', does: 'the analytical store hangs for 12 s, then is down for 20 s',
  aims: ['I1', 'I13', 'I16'], seconds: 38,
  plan: () => [
    { atMs: 500, forMs: 12_000, fault: hangPart('clickhouse') },
    { atMs: 15_000, forMs: 20_000, fault: stopPart('clickhouse') },
  ],
};
