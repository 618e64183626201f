import { onTheWayToTheLog } from '../kinds/connections.ts';
import { hangPart, killPart } from '../kinds/parts.ts';
import { kill, killAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

const CUT = { kind: 'cut', way: 'to-client', bytes: 0, times: 12 } as const;

/** What is shown of an item is its true outcome, also when it went through faults. */
export const receipts: Scenario = {
  name: 'receipts',
  does: 'workers, a gateway and the analytical store are killed, and acknowledgements are lost; then'
    + ' receipts of 2,000 items are read',
  aims: ['I1', 'I21'], seconds: 48, receipts: 2_000,
  plan: () => [
    { atMs: 0, forMs: 7_000, fault: killAt('workers-1', 'clickhouse.after/in_locations') },
    { atMs: 1_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-1', CUT) },
    { atMs: 8_000, forMs: 6_000, fault: killAt('workers-2', 'consumer.before-commit/rastro.journey') },
    { atMs: 9_000, forMs: 6_000, fault: onTheWayToTheLog('gateway-2', CUT) },
    { atMs: 16_000, forMs: 4_000, fault: kill('gateway-1') },
    { atMs: 22_000, forMs: 8_000, fault: hangPart('clickhouse') },
    { atMs: 34_000, fault: killPart('clickhouse') },
  ],
};
