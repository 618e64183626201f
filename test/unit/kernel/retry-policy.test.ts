import { describe, expect, it } from 'vitest';
import { retryWaitMs } from '../../../services/kernel/retry-policy.ts';

describe('the wait before something is tried again', () => {
  it('doubles from the first one up to the longest', () => {
    const policy = { firstMs: 100, msMax: 1_000, jitter: 0 };
    expect([0, 1, 2, 3, 4, 5, 6_000].map((failures) => retryWaitMs(policy, failures, 0.9)))
      .toEqual([100, 100, 200, 400, 800, 1_000, 1_000]);
  });

  it.each([[0.5, 0, 400], [0.5, 0.5, 300], [0.5, 1, 200], [1, 0.75, 100], [1, 1, 0]])(
    'is shorter by up to a share of %s at random: %s gives %s', (jitter, random, waitMs) => {
      expect(retryWaitMs({ firstMs: 100, msMax: 1_000, jitter }, 3, random)).toBe(waitMs);
    },
  );
});
