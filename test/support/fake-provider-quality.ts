import type { ProviderQuality, ProviderScore } from '../../services/kernel/provider-quality.ts';

/** {@link ProviderQuality} in memory, for the tests of who uses it. */
export interface FakeProviderQuality extends ProviderQuality {
  /** What the last computed days say of providers. */
  readonly scores: ProviderScore[];
}

const DAY_MS = 86_400_000;

/** No day is computed until there is a score. */
export function fakeProviderQuality(): FakeProviderQuality {
  const scores: ProviderScore[] = [];
  return {
    scores,
    async find(providers) {
      if (scores.length === 0) return undefined;
      const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      return {
        sinceMs: untilMs - 7 * DAY_MS, untilMs,
        scores: scores.filter(({ provider }) => providers.includes(provider)),
      };
    },
  };
}

/** A score of a provider of twelve devices. */
export function aScore(change: Partial<ProviderScore> = {}): ProviderScore {
  return {
    provider: 'acme', devices: 12, fixes: 120_000, latency_p50_s: 1.2, latency_p95_s: 4.5,
    latency_p99_s: 31, future: 0, stale: 3, zero_position: 1, duplicates: 40, outliers: 2,
    out_of_order: 5, gaps: 7, devices_off: 1, ...change,
  };
}
