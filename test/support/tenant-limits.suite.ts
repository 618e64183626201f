import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TenantRates } from '../../services/kernel/tenant-limits.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

const RATES: TenantRates = {
  'tenant': { perSecond: 10, burst: 20 },
  'tenant-locations': { perSecond: 100, burst: 200 },
  'tenant-notifications': { perSecond: 5, burst: 50 },
  'tenant-bytes': { perSecond: 1, burst: 86_400 },
};

/** What every implementation of the port TenantLimits must do. */
export function tenantLimitsSuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  const charge = (userId: string, calls: number, locations = 0, bytes = 0, notifications = 0) => (
    states.tenantLimits.charge(userId, { calls, locations, notifications, bytes }, RATES)
  );

  it('says what is left of each limit', async () => {
    const [calls, locations, notifications, bytes] = await charge('u1', 5, 50, 400, 10);
    expect(calls).toMatchObject({ of: 'tenant', limit: 20, waitMs: 0 });
    expect(locations).toMatchObject({ of: 'tenant-locations', limit: 200, waitMs: 0 });
    expect(notifications).toMatchObject({ of: 'tenant-notifications', limit: 50, waitMs: 0 });
    expect(notifications?.remaining).toBeGreaterThanOrEqual(40);
    expect(notifications?.remaining).toBeLessThan(50);
    expect(bytes).toMatchObject({
      of: 'tenant-bytes', limit: 86_400, remaining: 86_000, resetSeconds: 400, waitMs: 0,
    });
    expect(calls?.remaining).toBeGreaterThanOrEqual(15);
  });

  it('[GEN-53] adds up what is charged, from wherever it comes', async () => {
    await charge('u1', 0, 0, 86_000);
    const [, , , within] = await charge('u1', 0, 0, 200);
    expect(within?.waitMs).toBe(0);
    const [, , , beyond] = await charge('u1', 0, 0, 1_000);
    expect(beyond).toMatchObject({ remaining: 0 });
    expect(beyond?.waitMs).toBeGreaterThan(790_000);
    expect(beyond?.waitMs).toBeLessThanOrEqual(801_000);
  });

  it('[GEN-53] charges what was used also beyond the limit, and no other tenant', async () => {
    const [calls, locations] = await charge('u1', 35);
    expect(calls?.waitMs).toBeGreaterThan(1_400);
    expect(calls?.waitMs).toBeLessThanOrEqual(1_600);
    expect(locations?.waitMs).toBe(0);
    expect((await charge('u2', 5))[0]?.waitMs).toBe(0);
  });

  it('is unavailable while the state is not ready', async () => {
    await states.wipe();
    await expect(charge('u1', 1)).rejects.toMatchObject({ code: 'state_not_ready' });
  });
}
