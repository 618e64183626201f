import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  AuthorizationCall, AuthorizationCalls, AuthorizationRequest,
} from '../../../schemas/generated/types.ts';
import type {
  AuthorizationAsked, AuthorizationTried,
} from '../../../services/kernel/authorization-calls.ts';
import { aRequest, anAsk, aTry } from '../../support/authorization-facts.ts';
import { aParty } from '../../support/command-facts.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const TOPIC = 'shipment.authorization-calls.v1';
const CARRIER = 'p-carrier';
const NEWER = { since: null, until: null, state: null, carrier: null };

let at: WholeEdge;
beforeEach(async () => {
  at = await openWholeEdge();
  await at.commands.parties.apply(aParty({ party_id: CARRIER, kind: 'carrier' }));
});
afterEach(() => at.close());

interface Answered<Body> { readonly status: number; readonly body: Body }

async function ask<Body = AuthorizationCall>(
  id: string, params: Readonly<Record<string, string | number | null>>, body?: object,
): Promise<Answered<Body>> {
  at.admit(id);
  const response = await at.call(id, { params, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: await response.json() as Body };
}

const send = (request: AuthorizationRequest = aRequest(), carrier = CARRIER) =>
  ask('send-authorization', { carrier }, request);
const recorded = (): readonly (AuthorizationAsked | AuthorizationTried)[] =>
  at.log.of(TOPIC).map(({ value }) => value as AuthorizationAsked);

/** A call that was tried and ended so. */
async function ended(change: Partial<AuthorizationTried>): Promise<AuthorizationAsked> {
  const asked = anAsk('call-1');
  await at.commands.authorizationCalls.apply([asked, aTry(asked, 1, change)]);
  return asked;
}

describe('sending an authorization', () => {
  it('[PLT-09] is durable and due before the answer, its persons sealed and not shown', async () => {
    const request = aRequest();
    const { status, body } = await send(request);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      carrier: CARRIER, client_id: '100000000000042', shipment_id: String(request.id),
      transport_order_id: request.transport_order_id, round: 1, state: 'queued', tries: 0,
    });
    const [fact] = recorded();
    expect(fact).toMatchObject({ type: 'AuthorizationAsked', call_id: body.call_id, round: 1 });
    expect(JSON.stringify([fact, body])).not.toContain('Souza');
    expect(fact).toHaveProperty('personal');
    expect([...at.commands.callsDue().keys()]).toEqual([body.call_id]);
    const shown = await ask('show-authorization', { call_id: body.call_id });
    expect(shown).toEqual({ status: 200, body });
  });

  it.each([
    ['an unknown party', 'nobody', {}],
    ['a provider', CARRIER, { kind: 'provider' as const }],
    ['a disabled carrier', CARRIER, { kind: 'carrier' as const, status: 'disabled' as const }],
  ])('[PLT-09] to %s is refused with 404, and nothing is recorded', async (_what, carrier, change) => {
    await at.commands.parties.apply(aParty({ party_id: CARRIER, version: 2, ...change }));
    expect(await send(aRequest(), carrier)).toMatchObject({
      status: 404, body: { code: 'party_not_found' },
    });
    expect(recorded()).toEqual([]);
  });

  it('[PLT-09] says what is wrong with a request', async () => {
    const { id: _, ...rest } = aRequest();
    expect(await ask('send-authorization', { carrier: CARRIER }, rest)).toMatchObject({
      status: 400, body: { code: 'validation_failed', errors: [{ pointer: '/id' }] },
    });
    expect(recorded()).toEqual([]);
  });

  it('[PLT-09] is an outage when the log is away, and nothing is recorded', async () => {
    at.log.failWith('log_unavailable');
    expect((await send()).status).toBe(500);
    expect(recorded()).toEqual([]);
  });
});

describe('asking again', () => {
  const parked = { outcome: 'parked', reason: 'refused', status: 400 } as const;

  it('[PLT-09] sends the same or a corrected request as another round', async () => {
    const asked = await ended(parked);
    const again = await ask('resend-authorization', { call_id: 'call-1' }, {});
    expect(again).toMatchObject({ status: 202, body: { round: 2, state: 'queued', tries: 0 } });
    expect(recorded()).toMatchObject([
      { round: 2, request: { transport_order_id: asked.transport_order_id } },
    ]);
    const second = { ...asked, round: 2 };
    await at.commands.authorizationCalls.apply([aTry(second, 1, parked)]);
    const request = aRequest({
      id: Number(asked.shipment_id), transport_order_id: asked.transport_order_id,
      direction: 'return',
    });
    const corrected = await ask('resend-authorization', { call_id: 'call-1' }, { request });
    expect(corrected).toMatchObject({ status: 202, body: { round: 3 } });
    expect(recorded().at(-1)).toMatchObject({ round: 3, request: { direction: 'return' } });
    expect(JSON.stringify(recorded().at(-1))).not.toContain('Souza');
  });

  it.each([
    ['transport_order_id', { id: 41_234_567_890, transport_order_id: 'other' }],
    ['id', { id: 5 }],
  ])('[PLT-09] refuses a correction with another %s', async (name, change) => {
    const asked = await ended(parked);
    const request = aRequest({ transport_order_id: asked.transport_order_id, ...change });
    expect(await ask('resend-authorization', { call_id: 'call-1' }, { request })).toMatchObject({
      status: 400, body: { errors: [{ pointer: `/request/${name}`, code: 'not_allowed' }] },
    });
    expect(recorded()).toEqual([]);
  });

  it.each([
    ['is still tried', { outcome: 'retry' }], ['is authorized', { outcome: 'authorized' }],
  ] as const)('[PLT-09] refuses one that %s', async (_what, change) => {
    await ended(change);
    expect(await ask('resend-authorization', { call_id: 'call-1' }, {})).toMatchObject({
      status: 400, body: { code: 'authorization_not_parked' },
    });
    expect(await ask('resend-authorization', { call_id: 'none' }, {})).toMatchObject({
      status: 404, body: { code: 'authorization_not_found' },
    });
  });
});

describe('cancelling', () => {
  it('[PLT-09] ends the tries, gives the same answer twice, and lets it be asked again', async () => {
    const { body: { call_id } } = await send();
    const cancelled = await ask('cancel-authorization', { call_id });
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', tries: 0 } });
    expect(at.commands.callsDue().size).toBe(0);
    expect(await ask('cancel-authorization', { call_id })).toEqual(cancelled);
    expect(recorded()).toHaveLength(2);
    expect((await ask('resend-authorization', { call_id }, {})).body).toMatchObject({ round: 2 });
    expect([...at.commands.callsDue().keys()]).toEqual([call_id]);
  });

  it('[PLT-09] yields to a number that the carrier gave meanwhile', async () => {
    const { body: { call_id } } = await send();
    await ask('cancel-authorization', { call_id });
    const asked = recorded()[0] as AuthorizationAsked;
    const { authorizationCalls } = at.commands;
    await authorizationCalls.apply([aTry(asked, 1)]);
    expect((await ask('show-authorization', { call_id })).body.state).toBe('cancelled');
    await authorizationCalls.apply([
      aTry(asked, 1, { outcome: 'authorized', tracking_number: 'RS1' }),
    ]);
    expect((await ask('show-authorization', { call_id })).body)
      .toMatchObject({ state: 'authorized', tracking_number: 'RS1' });
    expect(await ask('cancel-authorization', { call_id })).toMatchObject({
      status: 400, body: { code: 'authorization_ended' },
    });
  });
});

describe('listing', () => {
  it('[PLT-10] filters by carrier and state, the last first, by pages', async () => {
    await at.commands.parties.apply(aParty({ party_id: 'p-other', kind: 'carrier' }));
    const { body: { call_id: first } } = await send();
    const { body: { call_id: second } } = await send(aRequest(), 'p-other');
    await ask('cancel-authorization', { call_id: second });
    const list = async (params: object): Promise<readonly string[]> => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const { body }: Answered<AuthorizationCalls> = await ask(
          'list-authorizations', { ...NEWER, limit: 1, cursor, ...params },
        );
        found.push(...body.authorizations.map(({ call_id }) => call_id));
        cursor = body.next_cursor ?? null;
      } while (cursor !== null);
      return found.toSorted();
    };
    expect(await list({})).toEqual([first, second].toSorted());
    expect(await list({ carrier: CARRIER })).toEqual([first]);
    expect(await list({ state: 'cancelled' })).toEqual([second]);
    expect(await list({ until: '2025-11-24T16:00:00Z' })).toEqual([]);
  });

  it.each([
    ['a state that there is not', { state: 'sleeping' }, '/query/state'],
    ['a carrier whose name is too long', { carrier: 'c'.repeat(256) }, '/query/carrier'],
    ['a time without an offset', { since: '2025-11-24T16:00:00' }, '/query/since'],
    ['a time that there is not', { until: '2025-13-24T16:00:00Z' }, '/query/until'],
    ['a range that ends before it begins',
      { since: '2025-11-25T00:00:00Z', until: '2025-11-24T00:00:00Z' }, '/query/since'],
    ['a range of more than 31 days',
      { since: '2025-10-01T00:00:00Z', until: '2025-11-24T00:00:00Z' }, '/query/since'],
    ['too large a page', { limit: 501 }, '/query/limit'],
    ['a cursor of its own making', { cursor: 'eA' }, '/query/cursor'],
  ])('[PLT-10] refuses %s', async (_what, params, pointer) => {
    expect(await ask('list-authorizations', { ...NEWER, ...params })).toMatchObject({
      status: 400, body: { code: 'invalid_parameter', errors: [{ pointer }] },
    });
  });
});
