import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  TenantLimits, TenantRates, TenantStanding, TenantUse,
} from '../../../services/kernel/tenant-limits.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { GOOD_FACTS, locationsBody, openEdge, problemOf, type Edge } from '../../support/edge.ts';
import { FREE_TENANTS } from '../../support/free-tenants.ts';

const BODY = JSON.stringify(locationsBody());
const AWAY = new Unavailable('state_unavailable', 'admit', 'Redis does not answer');
const PASSED: TenantStanding = {
  of: 'tenant-bytes', limit: 1_000, remaining: 0, resetSeconds: 90_000, waitMs: 3_600_000,
};
const CALLER = GOOD_FACTS.caller;
if (CALLER === undefined) throw new Error('The good facts have a caller.');

interface Charge {
  readonly userId: string;
  readonly use: TenantUse;
  readonly rates: TenantRates;
}

describe('all clients of one user together', () => {
  let edge: Edge;
  let charges: Charge[];
  let answer: () => Promise<readonly TenantStanding[]>;
  let nowMs: number;

  beforeEach(async () => {
    charges = [];
    answer = async () => [{ ...PASSED, waitMs: 0 }];
    nowMs = 1_764_000_000_000;
    const tenantLimits: TenantLimits = {
      charge(userId, use, rates) {
        charges.push({ userId, use, rates });
        return answer();
      },
    };
    edge = await openEdge({
      tenantLimits, clock: { nowMs: () => nowMs }, http: { ...FREE_TENANTS, tenantChargeMs: 1 },
    });
  });
  afterEach(() => edge.close());

  const charged = (count: number): Promise<void> => (
    vi.waitFor(() => { expect(charges.length).toBeGreaterThanOrEqual(count); })
  );

  it('[GEN-53] are charged for calls, locations and bytes, also of a refused body', async () => {
    await edge.post(BODY);
    await edge.post('{');
    await vi.waitFor(() => {
      expect(charges.map(({ use }) => use.calls).reduce((sum, calls) => sum + calls, 0)).toBe(2);
    });
    const sum = (member: keyof TenantUse): number => (
      charges.reduce((total, { use }) => total + use[member], 0)
    );
    expect(sum('locations')).toBe(locationsBody().locations.length);
    expect(sum('bytes')).toBe(Buffer.byteLength(BODY) + 1);
    expect(charges[0]?.userId).toBe('user-42');
  });

  it('[GEN-53] above a limit of theirs wait, for as long as the store says', async () => {
    answer = async () => [PASSED];
    expect((await edge.post(BODY)).status).toBe(202);
    await charged(1);
    const refused = await vi.waitFor(async () => {
      const response = await edge.post(BODY);
      expect(response.status).toBe(429);
      return response;
    });
    expect(refused.headers.get('retry-after')).toBe('300');
    expect(refused.headers.get('ratelimit-limit')).toBe('1000');
    expect(await problemOf(refused)).toMatchObject({
      code: 'rate_limited', detail: expect.stringContaining('all clients of the user') as string,
    });
    nowMs += PASSED.waitMs;
    expect((await edge.post(BODY)).status).toBe(202);
  });

  it('[GEN-53] that wait are refused before their body is read, and charged nothing', async () => {
    answer = async () => [PASSED];
    await edge.post(BODY);
    await vi.waitFor(async () => { expect((await edge.post(BODY)).status).toBe(429); });
    const before = charges.length;
    const asked = edge.asked.length;
    expect((await edge.post('x'.repeat(100_000))).status).toBe(429);
    expect(edge.asked.slice(asked).map(({ charges: charging }) => charging)).toEqual([false]);
    expect(charges).toHaveLength(before);
  });

  it('[GEN-53] have as much as so many of their largest client', async () => {
    await edge.post(BODY);
    edge.admit({ ...GOOD_FACTS, caller: {
      ...CALLER, limits: { requests_per_second: 1_000, tenant_bytes_per_day: 5 },
    } });
    await charged(1);
    await edge.post(BODY);
    await charged(2);
    expect(charges.map(({ rates }) => rates)).toEqual([
      {
        'tenant': { perSecond: 1_000, burst: 2_000 },
        'tenant-locations': { perSecond: 100_000, burst: 100_000 },
        'tenant-notifications': { perSecond: 2_500, burst: 10_000 },
        'tenant-bytes': { perSecond: 107_374_182_400 / 86_400, burst: 107_374_182_400 },
      },
      expect.objectContaining({
        'tenant': { perSecond: 5_000, burst: 10_000 },
        'tenant-bytes': { perSecond: 107_374_182_400 / 86_400, burst: 107_374_182_400 },
      }),
    ]);
  });

  it('are served while the store is away, and charged when it is back', async () => {
    answer = async () => { throw AWAY; };
    await edge.post(BODY);
    await charged(1);
    answer = async () => [{ ...PASSED, waitMs: 0 }];
    expect((await edge.post(BODY)).status).toBe(202);
    await charged(2);
    expect(charges.at(-1)?.use).toMatchObject({ calls: 2 });
  });
});
