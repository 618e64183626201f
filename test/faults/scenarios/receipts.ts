import { hangPart, killPart } from '../kinds/parts.ts';
import { kill, killAt } from '../kinds/processes.ts';
import type { Scenario } from '../scenario.ts';

/** What is shown of an item is what became of it, also when it went through faults. */
export const receipts: Scenario = {
  name: 'receipts',
  does: 'workers, a gateway and the analytical store are killed; then receipts of 10,000 items are read',
  aims: ['I1', 'I21'], seconds: 60, receipts: 10_000,
  plan: () => [
    { atMs: 0, forMs: 7_000, fault: killAt('workers-1', 'clickhouse.after/in_locations') },
    { atMs: 8_000, forMs: 6_000, fault: killAt('workers-2', 'consumer.before-commit/rastro.journey') },
    { atMs: 16_000, forMs: 4_000, fault: kill('gateway-1') },
    { atMs: 24_000, forMs: 8_000, fault: hangPart('clickhouse') },
    { atMs: 36_000, fault: killPart('clickhouse') },
  ],
};
