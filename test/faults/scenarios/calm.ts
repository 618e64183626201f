import type { Scenario } from '../scenario.ts';

/**
 * No fault at all: what fails here is not caused by one. A second carrier notifies about shipments
 * of the first, and what it says must be kept apart.
 */
export const calm: Scenario = {
  name: 'calm', does: 'nothing happens, but a carrier notifies about shipments of another',
  aims: ['I1', 'I2', 'I9', 'I14', 'I16'], seconds: 6, isSmoke: true, hasDisputes: true,
  plan: () => [],
};
