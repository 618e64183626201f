import { describe, expect, it } from 'vitest';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { listCalls } from '../../../services/gateways/query/operations/list-calls.ts';
import type { ClientCalls } from '../../../schemas/generated/types.ts';
import { callOf } from '../../support/calls.ts';
import { fakeStates } from '../../support/fake-states.ts';
import { aClient } from '../../support/state-facts.ts';

const AT_MS = Date.UTC(2026, 10, 27, 12);

function opened() {
  const states = fakeStates();
  const operation = listCalls('list-calls', states, problemErrors);
  const ask = async (clientId: string) => (
    await operation.handle(callOf({ clientId })) as { status: number; body: ClientCalls });
  return { states, ask };
}

const refused = (change: object = {}) => ({
  operation: 'send-locations', status: 400, code: 'validation_failed',
  pointers: ['/locations/0/latitude'], count: 3, first_at_ms: AT_MS, last_at_ms: AT_MS + 1_000,
  ...change,
});

describe('the calls of a client', () => {
  it('are all operations that its rights open, with when each had success', async () => {
    const { states, ask } = opened();
    const client = aClient({ audiences: ['rtt'], scopes: ['rtt:devices', 'rtt:locations'] });
    await states.access.applyClient(client);
    await states.taken.keep(client.client_id, [
      { operation: 'register-device', first_at_ms: AT_MS, last_at_ms: AT_MS + 60_000 },
      // Was open to it once.
      { operation: 'push-notifications', first_at_ms: AT_MS, last_at_ms: AT_MS },
    ]);
    const { status, body: { operations } } = await ask(client.client_id);
    expect(status).toBe(200);
    const ids = operations.map(({ operation }) => operation);
    expect(ids).toEqual(expect.arrayContaining([
      'issue-token', 'register-device', 'start-device-tracking', 'send-locations',
      'dry-run-send-locations', 'show-ingest', 'show-limits',
    ]));
    for (const other of [
      'push-notifications', 'send-telemetry-events', 'show-device', 'provider-command', 'revoke-token',
      'list-dead-letters', 'show-docs',
    ]) expect(ids).not.toContain(other);
    expect(operations.filter(({ first_at }) => first_at !== undefined)).toEqual([{
      operation: 'register-device',
      first_at: '2026-11-27T12:00:00.000Z', last_at: '2026-11-27T12:01:00.000Z',
    }]);
  });

  it('name none that is another\'s to serve', async () => {
    const { states, ask } = opened();
    const client = aClient({ audiences: ['rtt', 'revoke'], scopes: ['rtt:commands'] });
    await states.access.applyClient(client);
    const ids = (await ask(client.client_id)).body.operations.map(({ operation }) => operation);
    expect(ids).toContain('send-command');
    expect(ids).toContain('revoke-token');
    expect(ids).not.toContain('provider-command');
  });

  it('[GEN-56] have what was refused, the newest 100 kinds first, and none of another client', async () => {
    const { states, ask } = opened();
    const [own, other] = [aClient(), aClient()];
    for (const client of [own, other]) await states.access.applyClient(client);
    await states.refusals.keep(own.client_id, Array.from({ length: 120 }, (_, at) => (
      refused({ code: `code_${at}`, last_at_ms: AT_MS + at * 1_000 }))));
    await states.taken.keep(own.client_id, [
      { operation: 'issue-token', first_at_ms: AT_MS, last_at_ms: AT_MS },
    ]);
    const { body } = await ask(own.client_id);
    expect(body.refused).toHaveLength(100);
    expect(body.refused[0]).toEqual({
      operation: 'send-locations', status: 400, code: 'code_119',
      pointers: ['/locations/0/latitude'], calls: 3,
      first_at: '2026-11-27T12:00:00.000Z', last_at: '2026-11-27T12:01:59.000Z',
    });
    const others = (await ask(other.client_id)).body;
    expect(others.refused).toEqual([]);
    expect(others.operations.every(({ first_at }) => first_at === undefined)).toBe(true);
  });
});
