import { describe } from 'vitest';
import { memoryStates } from '../../support/memory-states.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

const LEASE_MS = 10_000;

describe('Shipments over entries in memory', () => {
  shipmentStatesSuite(async () => {
    let nowMs = 1_000;
    const states = memoryStates(() => nowMs, LEASE_MS);
    return {
      ...states,
      wipe: async () => states.wipe(),
      rebuilt: async () => states.markReady(),
      passLease: async () => { nowMs += LEASE_MS + 1; },
      close: async () => undefined,
    };
  });
});
