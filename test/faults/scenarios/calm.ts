import type { Scenario } from '../scenario.ts';

/** No fault at all: what fails here is not caused by one. */
export const calm: Scenario = {
  name: 'calm', does: 'nothing happens', aims: ['I1', 'I2', 'I14', 'I16'], seconds: 6,
  isSmoke: true,
  plan: () => [],
};
