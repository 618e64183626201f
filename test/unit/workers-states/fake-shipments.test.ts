import { describe } from 'vitest';
import { fakeShipments } from '../../support/fake-shipments.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

describe('Shipments in memory', () => {
  shipmentStatesSuite(async () => {
    const shipments = fakeShipments();
    return { shipments, wipe: async () => shipments.wipe(), close: async () => undefined };
  });
});
