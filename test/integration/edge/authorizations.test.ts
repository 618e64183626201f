import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  authorizeShipment,
} from '../../../services/gateways/authorization/operations/authorize-shipment.ts';
import { cancelShipment } from '../../../services/gateways/authorization/operations/cancel-shipment.ts';
import { parseExact } from '../../../services/kernel/exact-json.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import { shipmentSubject } from '../../../services/kernel/personal.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from '../../support/edge.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { recordingPersonal } from '../../support/fake-personal.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { sha256 } from '../../support/state-facts.ts';

const PLATFORM = {
  ...GOOD_FACTS, device: undefined,
  caller: {
    clientId: '100000000000042', userId: 'u', audience: 'authorizations',
    scopes: ['authorizations'], providers: [],
  },
};

let edge: Edge;
let states: OpenedRedis;
const log = fakeRecordLog();
const persons = recordingPersonal();
/** Calls of the state store and the log, in order. */
const asked: string[] = [];

/** A port that notes what is called of it. */
function recorded<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        asked.push(String(name));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

beforeAll(async () => {
  states = await openRedisStates();
  let nonces = 0;
  const ports = {
    log: recorded(log), states: recorded(states.authorizations),
      shipments: recorded(states.shipments),
    clock: { nowMs: () => Date.now() }, pause: () => new Promise<void>(setImmediate),
    ids: { ingestId: () => 'i', nonce: () => `n${nonces += 1}` }, personal: persons.personal,
    digest: sha256,
    numbers: sha256,
  };
  const race = { raceWaitMsMax: 2_000, racePollMs: 10 };
  edge = await openEdge({
    operations: [
      authorizeShipment(
        { ...race, carrierClientId: '100000000000077', contractsRequiringAgency: [] }, ports,
      ),
      cancelShipment(race, ports),
    ],
  });
});
afterAll(async () => {
  await edge.close();
  await states.close();
});
beforeEach(() => edge.admit(PLATFORM));

const VERBS = ['authorization', 'cancellation'] as const;
const pathOf = (verb: (typeof VERBS)[number], id: string | number = 41) => `/shipments/${id}/${verb}`;
const json = async (response: Response) =>
  ({ status: response.status, body: await response.json() as Record<string, unknown> });

describe('the authorization endpoints over HTTP', () => {
  it('[AUTH-01] [AUTH-04] [AUTH-47] authorizes, repeats alike and cancels', async () => {
    const request = aRequest();
    const { id, transport_order_id } = request;
    const send = () => edge.post(JSON.stringify(request), { path: pathOf('authorization', String(id)) });
    const texts = [await (await send()).text(), await (await send()).text()];
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('"status":"AUTHORIZED"');
    const cancel = await edge.post(JSON.stringify({ id, transport_order_id }), {
      path: pathOf('cancellation', String(id)),
    });
    expect(await json(cancel)).toEqual({ status: 200, body: { id: String(id), status: 'CANCELLED' } });
  });

  it.each(VERBS)('[AUTH-41] [AUTH-38] %s answers what it cannot read in its own body', async (verb) => {
    const path = pathOf(verb);
    const faults = [
      [await edge.post('{"id":', { path }), 'json'],
      [await edge.post('{}', { path, headers: { 'content-type': 'text/plain' } }), 'content_type'],
      [await edge.post('{}', { path, headers: { 'content-type': null } }), 'content_type'],
      [await edge.post('{"id":1,"id":2}', { path }), 'duplicate_key'],
      [await edge.post('{"id":9223372036854775808}', { path }), 'number'],
      [await edge.post(`"${'x'.repeat(1_048_577)}"`, { path }), 'size'],
    ] as const;
    for (const [response, part] of faults) {
      const { status, body } = await json(response);
      expect(status).toBe(400);
      expect(body).toEqual({
        error_code: `invalid_request_information.${part}`, status: 'FAILED',
        status_message: expect.any(String),
      });
    }
  });

  it('[AUTH-17] names the side by the direction that the body has', async () => {
    const request = { ...aRequest({ id: 41, direction: 'return' }), shipment_information: {} };
    const response = await edge.post(JSON.stringify(request), { path: pathOf('authorization') });
    expect((await json(response)).body['error_code']).toBe('invalid_user_information.buyer');
  });

  it.each(VERBS)('[AUTH-42] %s answers 401 without a good token, before any 400', async (verb) => {
    const path = pathOf(verb);
    const failed = { status: 401, body: { error_code: 'unauthorized', status: 'FAILED' } };
    for (const authorization of [null, 'Basic eA==', 'Bearer x']) {
      const response = await edge.post('{', { path, headers: { authorization } });
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(await json(response)).toMatchObject(failed);
    }
    edge.admit({ caller: undefined, device: undefined, quota: undefined });
    const headers = { authorization: `Bearer ${EDGE_TOKEN}` };
    expect(await json(await edge.post('{', { path, headers }))).toMatchObject(failed);
  });

  it.each(VERBS)('[AUTH-43] %s answers 403 to a token for something else', async (verb) => {
    for (const change of [{ audience: 'rtt' }, { scopes: [] }]) {
      edge.admit({ ...PLATFORM, caller: { ...PLATFORM.caller, ...change } });
      expect(await json(await edge.post('{', { path: pathOf(verb) }))).toMatchObject({
        status: 403, body: { error_code: 'forbidden', status: 'FAILED' },
      });
    }
  });

  it('[AUTH-40] answers 500 with Retry-After, never 429, to a client above its limit', async () => {
    const quota = GOOD_FACTS.quota;
    if (quota === undefined) throw new Error('the good facts have a quota');
    edge.admit({ ...PLATFORM, quota: { ...quota, allowed: false, remaining: 0 } });
    const request = aRequest({ id: 41 });
    const response = await edge.post(JSON.stringify(request), { path: pathOf('authorization') });
    expect(response.headers.get('retry-after')).toBe('300');
    expect(await json(response)).toMatchObject({ status: 500, body: { status: 'ERROR' } });
  });

  it('[AUTH-28] keeps every digit of a number that was sent', async () => {
    const request = aRequest({ id: 41 });
    const text = JSON.stringify(request)
      .replace('"amount":199.9', '"amount":199.90000000000000000001')
      .replace('"latitude":-23.55052012', '"latitude":-23.550520120000000003');
    const response = await edge.post(text, { path: pathOf('authorization') });
    expect(response.status).toBe(200);
    const bytes = Buffer.from(log.of('shipment.authorizations.v1').at(-1)?.bytes ?? []);
    const fact = parseExact(bytes.toString('utf8')) as ShipmentAuthorized;
    const written = JSON.stringify(persons.opened(shipmentSubject(fact.tracking_number), fact));
    expect(written).toContain('"amount":199.90000000000000000001');
    expect(written).toContain('"latitude":-23.550520120000000003');
  });

  it('[AUTH-05] gives one number to all who ask at once for one transport order', async () => {
    const requests = Array.from({ length: 50 }, () => aRequest({ id: 41 }));
    const numbers = await Promise.all([...requests, ...requests].map(async (request) => {
      const response = await edge.post(JSON.stringify(request), { path: pathOf('authorization') });
      return String((await json(response)).body['tracking_number']);
    }));
    expect(numbers.slice(50)).toEqual(numbers.slice(0, 50));
    expect(new Set(numbers).size).toBe(50);
  });

  // How long it takes is a matter of the machine; what it takes is not: nothing that grows with
  // what was authorized before, or with how many ask, stands between a request and its answer.
  it('[AUTH-44] needs the same few round trips for an answer, however many were given', async () => {
    const steps: string[][] = [];
    for (let round = 0; round < 30; round += 1) {
      const body = JSON.stringify(aRequest({ id: 41 }));
      for (let time = 0; time < 2; time += 1) {
        asked.splice(0);
        await (await edge.post(body, { path: pathOf('authorization') })).text();
        steps.push([...asked]);
      }
    }
    const first = ['load', 'claim', 'append', 'authorize', 'confirm'];
    expect(steps).toEqual(Array.from({ length: 30 }, () => [first, ['load']]).flat());
  });
});
