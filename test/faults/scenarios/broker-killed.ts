import { killPart } from '../kinds/parts.ts';
import type { Scenario } from '../scenario.ts';

/** The only broker dies amid everything. */
export const brokerKilled: Scenario = {
  name: 'broker-killed', does: 'kill -9 of the only broker, twice',
  aims: ['I1', 'I2', 'I9', 'I16'], seconds: 26,
  plan: (dice) => [
    { atMs: 500, fault: killPart('broker-1') },
    { atMs: 13_000 + dice.between(0, 2_000), fault: killPart('broker-1') },
  ],
};
