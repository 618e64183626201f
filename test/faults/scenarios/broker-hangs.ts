import { hangPart } from '../kinds/parts.ts';
import type { Scenario } from '../scenario.ts';

/** The broker answers nothing for longer than any request waits. */
export const brokerHangs: Scenario = {
  name: 'broker-hangs', does: 'SIGSTOP of the broker for 40 s, then SIGCONT',
  aims: ['I1', 'I2', 'I13', 'I16'], seconds: 44,
  plan: () => [{ atMs: 1_000, forMs: 40_000, fault: hangPart('broker-1') }],
};
