import { describe, expect, it } from 'vitest';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

const LEASE_MS = 60;

async function open() {
  const states = await openRedisStates({ applyBatchMax: 2, rebuildDoubtMs: 60_000 });
  const { raw, readiness } = states;
  await raw.unlink(await raw.keys('*:rebuilt'));
  return {
    ...states,
    rebuilt: async () => {
      await readiness.claimRebuild('again', 5_000);
      await readiness.markReady('again');
    },
    passLease: async () => {
      for (const key of await raw.keys('*:shipment:*')) {
        if (await raw.hexists(key, 'reserved') === 1) await raw.hset(key, 'reserved_until_ms', '1');
      }
    },
  };
}

describe('Shipments in Redis', () => {
  shipmentStatesSuite(open);

  it('frees a number whose carrier never finished', async () => {
    const states = await openRedisStates({ claimLeaseMs: LEASE_MS });
    try {
      expect(await states.shipments.claim(['N1'], 'a')).toBe('reserved');
      await expect.poll(() => states.shipments.claim(['N1'], 'b')).toBe('reserved');
    } finally {
      await states.close();
    }
  });
});
