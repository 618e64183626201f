import { describe, vi } from 'vitest';
import { authorizationCallsSuite } from '../../support/authorization-calls.suite.ts';
import { authorizationStatesSuite, LEASE_MS } from '../../support/authorization-states.suite.ts';
import { openRedisStates } from '../../support/open-redis-states.ts';

describe('The authorizations in Redis', () => {
  authorizationStatesSuite(async () => {
    const states = await openRedisStates({ claimLeaseMs: LEASE_MS, rebuildDoubtMs: 60_000 });
    await states.raw.unlink(await states.raw.keys('*:rebuilt'));
    return {
      ...states,
      rebuilt: async () => {
        await states.readiness.claimRebuild('again', 5_000);
        await states.readiness.markReady('again');
      },
      passLease: () => vi.waitFor(async () => {
        const keys = await states.raw.keys('*:authorization:*');
        const untils = await Promise.all(keys.map((key) => states.raw.hget(key, 'pending_until_ms')));
        const [seconds = 0, micros = 0] = (await states.raw.time()).map(Number);
        const now = seconds * 1_000 + micros / 1_000;
        if (untils.some((until) => Number(until ?? 0) >= now)) throw new Error('a lease holds');
      }),
    };
  });
});

describe('The calls of carriers in Redis', () => {
  authorizationCallsSuite(() => openRedisStates());
});
