import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GOOD_FACTS, problemOf } from '../../support/edge.ts';
import { recordJourneys, received } from '../../support/journeys.ts';
import { openShipmentEdge, READER, type ShipmentEdge } from '../../support/shipment-edge.ts';

interface JourneyAnswer {
  readonly entries: readonly { readonly code: string; readonly rule: string }[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

describe('The journey of a shipment', () => {
  let at: ShipmentEdge;
  beforeAll(async () => { at = await openShipmentEdge(); });
  afterAll(() => at.close());
  beforeEach(async () => {
    await at.reset();
    const { journey, events } = recordJourneys([
      received(1, 'EX-HUB', 10), received(2, 'EX-HUB', 10), received(3, 'EX-ON-ROUTE', 5),
      received(4, 'EX-DELIVERED', 20, { source: 'pull' }), received(5, 'NEVER-SEEN', 30),
    ]);
    at.history.addJourney(...events);
    if (journey !== undefined) await at.shipments.putJourneys(new Map([['RST1', journey]]));
  });

  const read = async (query: Parameters<ShipmentEdge['ask']>[2] = {}): Promise<JourneyAnswer> => {
    const response = await at.ask('journey', 'RST1', query);
    expect(response.status).toBe(200);
    return await response.json() as JourneyAnswer;
  };

  it('shows every notification, the rule that applied and the state after it', async () => {
    const body = await read();
    expect(body).toMatchObject({
      tracking_number: 'RST1', has_more: false,
      state: { status: 'delivered', code: 'EX-DELIVERED', final: true },
    });
    expect(body.entries.map(({ code, rule }) => [code, rule])).toEqual([
      ['EX-HUB', 'first'], ['EX-HUB', 'repeated_content'], ['EX-ON-ROUTE', 'older_than_applied'],
      ['EX-DELIVERED', 'final_code'], ['NEVER-SEEN', 'after_final'],
    ]);
    expect(body.entries[4]).toEqual({
      code: 'NEVER-SEEN', carrier_code: 'X', occurred_at: '2025-11-24T16:30:00.000Z',
      received_at_ms: 1_765_000_000_005, outcome: 'ignored_after_final', rule: 'after_final',
      unmapped: true, status_before: 'delivered', ingest_id: 'call-5', source: 'push',
      explanation: expect.stringContaining('after a final status'),
      state: expect.objectContaining({ status: 'delivered', final: true }),
    });
  });

  it('gives every entry exactly once by pages, and later ones behind the last', async () => {
    const first = await read({ limit: 3 });
    expect([first.entries.length, first.has_more]).toEqual([3, true]);
    const second = await read({ limit: 3, cursor: first.next_cursor });
    expect([second.entries.length, second.has_more]).toEqual([2, false]);
    at.history.addJourney(...recordJourneys([received(6, 'EX-HUB', 40)]).events);
    const third = await read({ limit: 3, cursor: second.next_cursor });
    expect(third.entries.map(({ code }) => code)).toEqual(['EX-HUB']);
  });

  it('of a shipment without a notification is empty and has no state', async () => {
    await at.shipments.authorize('RST3', { carrier_client_id: READER.clientId, at_ms: 1 });
    expect(await (await at.ask('journey', 'RST3')).json()).toEqual({
      tracking_number: 'RST3', entries: [], next_cursor: expect.any(String), has_more: false,
    });
  });

  it('of another carrier looks like an unknown one', async () => {
    const headers = { 'x-request-id': 'same' };
    const [foreign, unknown] = await Promise.all(['RST2', 'RST404'].map(async (number) => {
      const response = await at.ask('journey', number, { headers });
      return [response.status, await response.text()];
    }));
    expect(foreign?.[0]).toBe(404);
    expect(foreign).toEqual(unknown);
  });

  it('[GEN-28] is open to the scope query:read alone', async () => {
    const as = (change: object): void => at.edge.admit({
      ...GOOD_FACTS, device: undefined, caller: { ...READER, ...change },
    });
    as({ scopes: ['tracking:read'] });
    const scope = await at.ask('journey', 'RST1');
    expect([scope.status, (await problemOf(scope)).code]).toEqual([403, 'insufficient_scope']);
    as({ audience: 'rtt' });
    expect((await at.ask('journey', 'RST1')).status).toBe(403);
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: undefined });
    expect((await at.ask('journey', 'RST1')).status).toBe(401);
  });

  it('answers 400 to a cursor of the feed and to a bad limit', async () => {
    const { next_cursor: cursor } = await at.pull();
    expect((await at.ask('journey', 'RST1', { cursor })).status).toBe(400);
    expect((await at.ask('journey', 'RST1', { limit: 0 })).status).toBe(400);
  });

  it('answers 500 while the history is away', async () => {
    at.history.failWith('sink_unavailable');
    const response = await at.ask('journey', 'RST1');
    expect([response.status, response.headers.has('retry-after')]).toEqual([500, true]);
  });
});
