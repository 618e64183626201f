import { killPart } from '../kinds/parts.ts';
import type { Scenario } from '../scenario.ts';

/** Three copies of everything: one broker may die at any time, and each in its turn. */
export const threeBrokers: Scenario = {
  name: 'three-brokers', does: 'three brokers, each killed once in turn',
  aims: ['I1', 'I2', 'I9', 'I16'], seconds: 45, ownCluster: { brokers: 3 },
  plan: () => [
    { atMs: 1_000, fault: killPart('broker-1') },
    { atMs: 16_000, fault: killPart('broker-2') },
    { atMs: 31_000, fault: killPart('broker-3') },
  ],
};
