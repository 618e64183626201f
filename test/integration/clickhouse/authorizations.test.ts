import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aCancellation, aChange, anAuthorization, aRequest, aUser,
} from '../../support/authorization-facts.ts';
import { createHistory, record, writePosts, type History } from './history.ts';

let history: History;
let orders = 0;
const newOrder = (): string => `order-${orders += 1}`;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

async function send(...facts: readonly { transport_order_id: string }[]) {
  const records = facts.map((fact) => record(
    'shipment.authorizations.v1', fact.transport_order_id, fact,
  ));
  expect(await writePosts(history.ingest, records)).toEqual([]);
}

const seen = (order: string, view = 'v_authorizations') => history.analyst.query(
  `SELECT * FROM ${view} WHERE transport_order_id = {order:String} ORDER BY ALL`, { order },
);

describe('authorizations for analysts', () => {
  it('show ids, places and state, once per epoch', async () => {
    const order = newOrder();
    const request = aRequest({
      id: 41, transport_order_id: order, direction: 'forward',
      carrier_information: { contract: 'home', agency: { id: 'A' } },
    });
    const first = anAuthorization(order, 1, { request: { ...request } });
    const second = anAuthorization(order, 2);
    await send(first, aCancellation(order), second);
    await send(first, aCancellation(order));
    expect(await seen(order)).toMatchObject([
      {
        epoch: 1, status: 'cancelled', tracking_number: first.tracking_number, shipment_id: '41',
        authorized_at: '2025-11-24 16:00:00.001', cancelled_at: '2025-11-24 16:00:00.501',
        direction: 'forward', contract: 'home', sender_country_id: 'BR',
        receiver_country_id: 'BR', receiver_city: 'São Paulo', items: 1,
      },
      { epoch: 2, status: 'authorized', tracking_number: second.tracking_number, cancelled_at: null },
    ]);
  });

  it('show nothing of a person', async () => {
    const order = newOrder();
    const user = aUser({ full_name: 'SECRET', identification: { type: 'CPF', number: 'SECRET' } });
    user.address.address_line = 'SECRET 1';
    const request = aRequest({ id: 41, transport_order_id: order, keyword: 'SECRET' });
    Object.assign(request.shipment_information ?? {}, { sender: user, receiver: user });
    await send(anAuthorization(order, 1, { request: { ...request } }));
    const table = await history.admin.query(
      'SELECT * FROM shipment_authorizations WHERE transport_order_id = {order:String}', { order },
    );
    expect(table).toHaveLength(1);
    expect(JSON.stringify([table, await seen(order)])).not.toContain('SECRET');
  });

  it('take a request without any of its parts', async () => {
    const order = newOrder();
    const request = { id: 41, transport_order_id: order };
    await send(anAuthorization(order, 1, { request: { ...request } }));
    expect(await seen(order)).toMatchObject([{ receiver_city: '', items: 0, contract: '' }]);
  });

  it('[AUTH-55] list a change that was asked for once, and count it as no authorization', async () => {
    const order = newOrder();
    await send(anAuthorization(order, 1), aChange(order), aChange(order), aChange(order, 'b'.repeat(64)));
    expect(await seen(order)).toMatchObject([{ status: 'authorized' }]);
    const changed = ['/shipment_information/receiver'];
    expect(await seen(order, 'v_authorization_changes')).toMatchObject([
      { epoch: 1, changed, content_hash: 'a'.repeat(64) },
      { epoch: 1, changed, content_hash: 'b'.repeat(64) },
    ]);
  });

  it('[AUTH-52] leave test requests out, cancelled and refused ones too', async () => {
    const order = newOrder();
    await send(anAuthorization(order, 1, { test: true }), aCancellation(order));
    const refusal = (test: boolean) => ({
      type: 'AuthorizationRefused', client_id: '100000000000001', transport_order_id: order,
      shipment_id: '41', error_code: 'invalid_carrier_information.agency', test, at_ms: 5,
    });
    await send(refusal(true));
    expect(await seen(order)).toEqual([]);
    expect(await seen(order, 'v_authorization_refusals')).toEqual([]);
    const other = newOrder();
    await send({ ...refusal(false), transport_order_id: other });
    expect(await seen(other, 'v_authorization_refusals')).toMatchObject([{
      error_code: 'invalid_carrier_information.agency', refused_at: '1970-01-01 00:00:00.005',
    }]);
    expect(await seen(other)).toEqual([]);
  });
});
