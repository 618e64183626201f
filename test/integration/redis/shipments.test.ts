import { describe } from 'vitest';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

describe('Shipments in Redis', () => {
  shipmentStatesSuite(() => openRedisStates({ applyBatchMax: 2 }));
});
