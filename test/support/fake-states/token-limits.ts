import type { TokenLimits, TokenQuota } from '../../../services/kernel/access.ts';
import { afterFailure, type Failures } from '../../../services/domain/quota/failures.ts';
import { bucketAt } from '../../../services/domain/quota/gcra.ts';
import type { FakeStateStore } from '../fake-state-store.ts';
import type { Buckets, StateSettings } from './settings.ts';

/** Failed token requests by client id and address, and until when each is remembered. */
export type FailureCounts = Map<string, Failures & { readonly keptUntilMs: number }>;

/** {@link TokenLimits} by the rules of the domain, in memory. */
export function fakeTokenLimits(
  store: FakeStateStore, buckets: Buckets, failures: FailureCounts, settings: StateSettings,
): TokenLimits {
  function charge(name: string): TokenQuota {
    store.guard({ requireReady: true });
    const bucket = bucketAt(buckets.get(name), store.nowMs(), {
      interval: 60_000 / settings.tokenRequestsPerMinute, burst: settings.tokenRequestsBurst,
    });
    if (!bucket.fits(1)) {
      const seconds = Math.max(Math.ceil(bucket.waitFor() / 1_000), 1);
      return { allowed: false, retryAfterSeconds: seconds };
    }
    buckets.set(name, bucket.emptyAtAfter(1));
    return { allowed: true, retryAfterSeconds: 0 };
  }

  return {
    chargeTokenRequest: async (address) => charge(`address:${address}`),
    async chargeProvenClient(clientId, address) {
      const quota = charge(`client:${clientId}`);
      if (quota.allowed) failures.delete(`${clientId} ${address}`);
      return quota;
    },
    async recordTokenFailure(clientId, address) {
      store.guard({ requireReady: true });
      const name = `${clientId} ${address}`;
      const nowMs = store.nowMs();
      const kept = failures.get(name);
      const known = kept !== undefined && kept.keptUntilMs > nowMs
        ? kept : { count: 0, waitEndsMs: 0, keptUntilMs: 0 };
      const { failures: next, waitMs } = afterFailure(known, nowMs, {
        free: settings.tokenFailuresFree,
        delayMsMin: settings.tokenDelayMsMin, delayMsMax: settings.tokenDelayMsMax,
      });
      failures.set(name, {
        ...next,
        keptUntilMs: Math.max(
          known.keptUntilMs, nowMs + Math.max(settings.tokenFailuresKeptMs, 2 * waitMs),
        ),
      });
      return { allowed: waitMs === 0, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    },
  };
}
