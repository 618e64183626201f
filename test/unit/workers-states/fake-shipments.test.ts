import { describe } from 'vitest';
import { fakeShipments } from '../../support/fake-shipments.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

const LEASE_MS = 10_000;

describe('Shipments in memory', () => {
  shipmentStatesSuite(async () => {
    let nowMs = 1_000;
    const shipments = fakeShipments(() => nowMs, LEASE_MS);
    return {
      shipments,
      wipe: async () => shipments.wipe(),
      rebuilt: async () => shipments.markReady(),
      passLease: async () => { nowMs += LEASE_MS + 1; },
      close: async () => undefined,
    };
  });
});
