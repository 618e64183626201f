import { bucketAt } from '../../../services/domain/quota/gcra.ts';
import {
  TENANT_COSTS, TENANT_LIMIT_NAMES, type TenantLimits,
} from '../../../services/kernel/tenant-limits.ts';
import type { FakeStateStore } from '../fake-state-store.ts';
import type { Buckets } from './settings.ts';

const LOCK_MS_MAX = 60_000;

/** {@link TenantLimits} by the rules of the domain, in memory. */
export function fakeTenantLimits(store: FakeStateStore, buckets: Buckets): TenantLimits {
  return {
    async charge(userId, use, rates) {
      store.guard({ requireReady: true });
      const nowMs = store.nowMs();
      return TENANT_LIMIT_NAMES.map((of) => {
        const { perSecond, burst } = rates[of];
        const rate = { interval: 1_000 / perSecond, burst };
        const name = `${of}:${userId}`;
        const before = bucketAt(buckets.get(name), nowMs, rate, LOCK_MS_MAX);
        buckets.set(name, before.emptyAtAfter(use[TENANT_COSTS[of]]));
        const after = bucketAt(buckets.get(name), nowMs, rate, Infinity);
        return {
          of, limit: burst, remaining: after.remaining(),
          resetSeconds: Math.ceil(after.fullAgainIn() / 1_000),
          waitMs: Math.max(Math.ceil(after.waitFor()), 0),
        };
      });
    },
  };
}
