import { killPart } from '../kinds/parts.ts';
import { onTheWayToTables } from '../kinds/connections.ts';
import type { Scenario } from '../scenario.ts';

/** The analytical store dies amid inserts, and answers get lost. */
export const tablesKilled: Scenario = {
  name: 'tables-killed',
  does: 'kill -9 of the analytical store; cuts within an insert and before its answer',
  aims: ['I1', 'I2', 'I16'], seconds: 18, isSmoke: true,
  plan: (dice) => [
    { atMs: 0, forMs: 6_000, fault: onTheWayToTables(
      { kind: 'cut', way: 'to-client', bytes: 0, times: 4 }) },
    { atMs: 6_500, forMs: 4_000, fault: onTheWayToTables({
      kind: 'cut', way: 'to-server', bytes: dice.between(200, 3_000), times: 3,
    }) },
    { atMs: 11_000, fault: killPart('clickhouse') },
  ],
};
