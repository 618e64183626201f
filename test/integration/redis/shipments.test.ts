import { describe, expect, it } from 'vitest';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

const LEASE_MS = 60;
const open = () => openRedisStates({ applyBatchMax: 2 });

describe('Shipments in Redis', () => {
  shipmentStatesSuite(open);

  it('frees a number whose carrier never came to an end', async () => {
    const states = await openRedisStates({ claimLeaseMs: LEASE_MS });
    try {
      expect(await states.shipments.claim(['N1'], 'a')).toBe('reserved');
      await expect.poll(() => states.shipments.claim(['N1'], 'b')).toBe('reserved');
    } finally {
      await states.close();
    }
  });
});
