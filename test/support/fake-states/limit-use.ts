import { bucketAt } from '../../../services/domain/quota/gcra.ts';
import type { Rate } from '../../../services/kernel/client-rates.ts';
import type { LimitStanding, LimitUse } from '../../../services/kernel/limit-use.ts';
import type { FakeStateStore } from '../fake-state-store.ts';
import type { Buckets } from './settings.ts';

const LOCK_MS_MAX = 60_000;

/** {@link LimitUse} by the rules of the domain, over the buckets that the other fakes charge. */
export function fakeLimitUse(store: FakeStateStore, buckets: Buckets): LimitUse {
  function standing(name: string, { perSecond, burst }: Rate): LimitStanding {
    const rate = { interval: 1_000 / perSecond, burst };
    const bucket = bucketAt(buckets.get(name), store.nowMs(), rate, LOCK_MS_MAX);
    return {
      remaining: bucket.remaining(), resetSeconds: Math.ceil(bucket.fullAgainIn() / 1_000),
    };
  }

  return {
    async find({ clientId, userId }, rates) {
      store.guard({ requireReady: true });
      const ofTenant = (name: 'tenant' | `tenant-${'locations' | 'notifications' | 'bytes'}`) => (
        standing(`${name}:${userId}`, rates[name])
      );
      return {
        'client': standing(`req:${clientId}`, rates.client),
        'client-locations': standing(`loc:${clientId}`, rates['client-locations']),
        'client-notifications': standing(`ntf:${clientId}`, rates['client-notifications']),
        'client-bytes': standing(`byt:${clientId}`, rates['client-bytes']),
        'tenant': ofTenant('tenant'), 'tenant-locations': ofTenant('tenant-locations'),
        'tenant-notifications': ofTenant('tenant-notifications'),
        'tenant-bytes': ofTenant('tenant-bytes'),
      };
    },
  };
}
