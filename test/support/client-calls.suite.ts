import { afterEach, beforeEach, expect, it } from 'vitest';
import { ratesIn, REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import { tenantRatesOf } from '../../services/kernel/tenant-limits.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';
import { aClient, asking, aToken } from './state-facts.ts';

const CLIENT_RATES = ratesIn(REDIS_DEFAULTS);
const RATES = {
  ...CLIENT_RATES, ...tenantRatesOf({ clients: 5, bytesPerDay: 86_400 }, CLIENT_RATES),
};
const NOW_MS = Date.now();

/** What every store must do that says what a client has called, and what it has used. */
export function clientCallsSuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  const took = (operation: string, first: number, last = first) => (
    { operation, first_at_ms: NOW_MS + first, last_at_ms: NOW_MS + last });

  it('keeps the first and the last time of each operation, in whatever order they come', async () => {
    await states.taken.keep('c1', [took('send-locations', 50), took('issue-token', 40)]);
    await states.taken.keep('c1', [took('send-locations', 900), took('show-ingest', 1)]);
    await states.taken.keep('c1', [took('send-locations', 20, 30)]);
    expect((await states.taken.find('c1')).toSorted((a, b) => a.operation < b.operation ? -1 : 1))
      .toEqual([
        took('issue-token', 40), took('send-locations', 20, 900), took('show-ingest', 1),
      ]);
    expect(await states.taken.find('c2')).toEqual([]);
  });

  it('[GEN-41] says what is left of each limit, and takes nothing by it', async () => {
    const client = aClient();
    const token = aToken(client);
    await states.access.applyClient(client);
    await states.access.putToken(token);
    const { client_id: clientId, user_id: userId } = client;
    const caller = { clientId, userId };
    const before = await states.limitUse.find(caller, RATES);
    expect(before.client).toEqual({ remaining: REDIS_DEFAULTS.requestsBurst, resetSeconds: 0 });
    await states.admission.read(
      asking(token, { locations: 15_000, notifications: 1_500, bytes: 30_000_000 }));
    await states.tenantLimits.charge(
      userId, { calls: 0, locations: 0, notifications: 0, bytes: 400 }, RATES);
    for (let times = 0; times < 3; times += 1) {
      const after = await states.limitUse.find(caller, RATES);
      expect(after.client.remaining).toBeGreaterThanOrEqual(REDIS_DEFAULTS.requestsBurst - 1);
      isBetween(after['client-locations'].remaining, 5_000, 19_000);
      isBetween(after['client-notifications'].remaining, 500, 1_900);
      isBetween(after['client-bytes'].remaining, 11_900_000, 41_000_000);
      expect(after['client-notifications'].resetSeconds).toBeGreaterThanOrEqual(1);
      expect(after['tenant-bytes']).toEqual({ remaining: 86_000, resetSeconds: 400 });
      expect(after.tenant.remaining).toBe(RATES.tenant.burst);
    }
    const other = await states.limitUse.find({ clientId: 'other', userId: 'other' }, RATES);
    expect(other['client-locations'].remaining).toBe(REDIS_DEFAULTS.locationsBurst);
    expect(other['tenant-bytes'].remaining).toBe(86_400);
  });

  it('does not say so while the state is not ready', async () => {
    await states.wipe();
    await expect(states.limitUse.find({ clientId: 'c', userId: 'u' }, RATES))
      .rejects.toMatchObject({ code: 'state_not_ready' });
  });
}

/** Limits fill again while a test runs. */
function isBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}
