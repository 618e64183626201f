import { describe, expect, it } from 'vitest';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { showLimits } from '../../../services/gateways/query/operations/show-limits.ts';
import { callOf } from '../../support/calls.ts';
import { fakeStates } from '../../support/fake-states.ts';
import { aClient, asking, aToken } from '../../support/state-facts.ts';
import { tenantRatesOf } from '../../../services/kernel/tenant-limits.ts';
import type { LimitsResource } from '../../../schemas/generated/types.ts';
import { FREE_TENANTS } from '../../support/free-tenants.ts';

const NOW_MS = Date.UTC(2030, 0, 31, 10);
const states = fakeStates();
const operation = showLimits(
  'show-limits', {
    access: states.access, overflow: states.overflow, limitUse: states.limitUse,
    clock: { nowMs: () => NOW_MS }, rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
  }, problemErrors,
);
const ask = (clientId: string) => operation.handle(callOf({ clientId }));

describe('the limits that a sender reads', () => {
  it('[GEN-41] are those of the deployment where it has none of its own', async () => {
    const client = aClient();
    await states.access.applyClient(client);
    expect(await ask(client.client_id)).toMatchObject({
      status: 200,
      body: {
        requests: { per_second: 200, burst: 400, own: false },
        locations: { per_second: 20_000, burst: 20_000, own: false },
        notifications: { per_second: 500, burst: 2_000, own: false },
        bytes: { per_second: 20_971_520, burst: 41_943_040, own: false },
        bytes_included_per_request: 16_384,
        device_requests: { per_second: 20, burst: 40, own: false },
        tenant_clients: 5, tenant_bytes_per_day: 107_374_182_400,
      },
    });
  });

  it('[GEN-40] [GEN-41] are its own where its record has them', async () => {
    const client = aClient({ limits: {
      requests_per_second: 500, device_requests_per_second: 1, tenant_bytes_per_day: 2_000,
    } });
    await states.access.applyClient(client);
    expect(await ask(client.client_id)).toMatchObject({
      body: {
        requests: { per_second: 500, burst: 1_000, own: true },
        locations: { per_second: 20_000, own: false },
        device_requests: { per_second: 1, burst: 2, own: true },
        tenant_bytes_per_day: 2_000,
      },
    });
  });

  it('[GEN-41] say how much of them is left to the client and to all of its user', async () => {
    const client = aClient({ limits: { tenant_bytes_per_day: 86_400 } });
    await states.access.applyClient(client);
    const userId = `user-${client.client_id}`;
    await states.tenantLimits.charge(userId, {
      calls: 0, locations: 0, notifications: 0, bytes: 400,
    }, tenantRatesOf(FREE_TENANTS.tenants, FREE_TENANTS.clientRates, client.limits));
    expect(await ask(client.client_id)).toMatchObject({
      body: {
        requests: { remaining: 400, reset_seconds: 0 }, bytes: { remaining: 41_943_040 },
        tenant_bytes_per_day: 86_400, tenant_bytes_remaining: 86_000,
      },
    });
    const token = aToken(client);
    await states.access.putToken(token);
    await states.admission.read(asking(token, { locations: 20_000, bytes: 41_943_040 }));
    const { body } = await ask(client.client_id) as { body: LimitsResource };
    expect(body.requests.remaining).toBeLessThan(401);
    expect(body.locations.remaining).toBeLessThan(19_000);
    expect(body.locations.reset_seconds).toBe(1);
    expect(body.bytes.reset_seconds).toBe(2);
    expect(body.notifications.remaining).toBe(2_000);
    expect(body.device_requests).not.toHaveProperty('remaining');
  });

  it('[GEN-68] say which of its providers are stored after others, and until when', async () => {
    const client = aClient({ providers: ['calm', 'floods', 'named', 'forbidden', 'over'] });
    await states.access.applyClient(client);
    const at_ms = NOW_MS - 60_000;
    const decision = { type: 'OverflowRecorded' as const, version: 1, at_ms };
    for (const fact of [
      { provider: 'floods', by: 'writer', state: 'in', ends_at_ms: NOW_MS + 540_000 },
      { provider: 'named', by: 'operator', state: 'in' },
      { provider: 'forbidden', by: 'writer', state: 'in', ends_at_ms: NOW_MS + 540_000 },
      { provider: 'forbidden', by: 'operator', state: 'out' },
      { provider: 'over', by: 'writer', state: 'in', ends_at_ms: NOW_MS },
    ] as const) await states.overflow.apply({ ...decision, ...fact });
    expect(await ask(client.client_id)).toMatchObject({
      body: { overflowing_providers: [
        {
          provider: 'floods',
          decided_at: '2030-01-31T09:59:00.000Z', ends_at: '2030-01-31T10:09:00.000Z',
        },
        { provider: 'named', decided_at: '2030-01-31T09:59:00.000Z' },
      ] },
    });
  });
});
