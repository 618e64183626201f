import { need } from '../asks.ts';
import { verify, type Check } from '../check.ts';
import { at, different, equal, matches, member, status, textAt } from '../findings.ts';
import { flawed, refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { authorizationAsk, shipmentOf } from '../shipments.ts';
import type { Ask } from '../talk.ts';

/** Endpoint 1, authorize shipment: answers and repeats. */
export const authorizationChecks: readonly Check[] = [
  {
    id: 'authorized', rows: ['AUTH-01', 'AUTH-02', 'AUTH-34', 'AUTH-36'], role: 'carrier',
    title: 'A shipment with every object of the interface is AUTHORIZED',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const reply = await session.send(ask);
      return verify(
        status(reply, 200), session.shape(reply, 'AuthorizationResponse'),
        member(reply, '/status', 'AUTHORIZED'), member(reply, '/id', shipmentOf(ask).id),
        matches(reply, '/tracking_number', /^\S+$/),
      );
    },
  },
  {
    id: 'authorized-least', rows: ['AUTH-03', 'AUTH-13', 'AUTH-07'], role: 'carrier',
    title: 'id may be a number, and the three objects may be missing',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const { id, transport_order_id } = shipmentOf(ask);
      const reply = await session.send({ ...ask, json: { id: Number(id), transport_order_id } });
      const other = await session.send(authorizationAsk(session));
      return verify(
        status(reply, 200), member(reply, '/id', id), different(
          'tracking_number of two orders', textAt(reply, '/tracking_number'),
          textAt(other, '/tracking_number'),
        ),
      );
    },
  },
  {
    id: 'authorized-again', rows: ['AUTH-04', 'AUTH-06'], role: 'carrier',
    title: 'The same order again, also with other fields, keeps its tracking number',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const first = await session.send(ask);
      const again = await session.send(ask);
      const changed = flawed(ask.json, ['/shipment_information/package/amount', 1]);
      const other = await session.send({ ...ask, json: changed });
      const number = textAt(first, '/tracking_number');
      return verify(
        status(again, 200), member(again, '/tracking_number', number),
        status(other, 200), member(other, '/tracking_number', number),
      );
    },
  },
  {
    id: 'authorized-at-once', rows: ['AUTH-05'], role: 'carrier',
    title: 'Identical requests at the same time all get the same tracking number',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const replies = await Promise.all([1, 2, 3, 4, 5].map(() => session.send(ask)));
      const numbers = new Set(replies.map((reply) => at(reply.json, '/tracking_number')));
      return verify(
        ...replies.map((reply) => status(reply, 200)),
        equal('the number of tracking numbers', numbers.size, 1),
      );
    },
  },
  {
    id: 'authorized-corrected', rows: ['AUTH-08'], role: 'carrier',
    title: 'A refused order has no tracking number, and is authorized once corrected',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const bad = { ...ask, json: flawed(ask.json, '/shipment_information/receiver') };
      const refused = await session.send(bad);
      return verify(
        status(refused, 400), member(refused, '/tracking_number', undefined),
        status(await session.send(ask), 200),
      );
    },
  },
  {
    id: 'authorized-test', rows: ['AUTH-52'], role: 'carrier',
    title: 'A test request is authorized with a tracking number that begins with TEST',
    run: async (session) => {
      const test = await session.send(authorizationAsk(session, { test: true }));
      const real = await session.send(authorizationAsk(session, { test: false }));
      return verify(
        status(test, 200), matches(test, '/tracking_number', /^TEST/),
        status(real, 200), matches(real, '/tracking_number', /^(?!TEST)/),
      );
    },
  },
  {
    id: 'authorized-in-time', rows: ['AUTH-44'], role: 'carrier',
    title: 'Twenty authorizations take less than a second each, on average',
    run: async (session) => {
      const startedMs = session.nowMs();
      for (let count = 0; count < 20; count += 1) {
        need(await session.send(authorizationAsk(session)), 200);
      }
      const averageMs = (session.nowMs() - startedMs) / 20;
      return verify(averageMs < 1_000 ? undefined : `the average is ${Math.round(averageMs)} ms`);
    },
  },
  {
    id: 'authorization-long-texts', rows: ['AUTH-37'], role: 'carrier',
    title: 'Descriptive texts of any length are cut for storage, not refused',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const user = '/shipment_information/receiver';
      const long = [`${user}/full_name`, `${user}/address/comment`].reduce<unknown>(
        (body, pointer) => flawed(body, [pointer, 'a'.repeat(5_000)]), ask.json);
      return verify(status(await session.send({ ...ask, json: long }), 200));
    },
  },
  {
    id: 'authorization-failure-body', rows: ['AUTH-38', 'AUTH-39', 'GEN-12'], role: 'carrier',
    title: 'A 400 body has error_code, status_message and FAILED, and nothing else',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const reply = await session.send({ ...ask, json: flawed(ask.json, '/transport_order_id') });
      return verify(
        status(reply, 400), session.shape(reply, 'AuthorizationFailure'),
        matches(reply, '/error_code', /^invalid_[a-z_]+_information\.[a-z_]+$/),
      );
    },
  },
  {
    id: 'authorization-sides', rows: ['AUTH-15', 'AUTH-16', 'AUTH-17', 'AUTH-29'], role: 'carrier',
    title: 'error_code names buyer and seller by direction, and the items of the package',
    run: async (session) => verify(...(await Promise.all([
      codeWithout(session, 'forward', 'receiver', 'invalid_user_information.buyer'),
      codeWithout(session, 'forward', 'sender', 'invalid_user_information.seller'),
      codeWithout(session, 'return', 'sender', 'invalid_user_information.buyer'),
      codeWithout(session, 'return', 'receiver', 'invalid_user_information.seller'),
      codeWithout(session, 'forward', 'package/items', 'invalid_package_information.items'),
    ])).flat()),
  },
  {
    id: 'authorization-media-type', rows: ['AUTH-41'], role: 'carrier',
    title: 'No JSON, or another content type, gets 400 FAILED in its own body',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const plain = { 'content-type': 'text/plain' };
      const replies = [
        await session.send({ ...ask, body: '{"id":' }), await session.send({ ...ask, headers: plain }),
      ];
      return verify(...replies.flatMap((reply) => [
        status(reply, 400), session.shape(reply, 'AuthorizationFailure'),
      ]));
    },
  },
  {
    id: 'authorization-token', rows: ['AUTH-42', 'AUTH-43'], role: 'carrier',
    title: 'Without a good token 401, with another audience 403, both in the FAILED body',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const as = (token: string | null) => session.send({ ...ask, token });
      const [none, bad, other] = [
        await as(null), await as('no-such-token'), await as(await session.token('rtt')),
      ];
      return verify(
        status(none, 401), member(none, '/error_code', 'unauthorized'),
        status(bad, 401), session.shape(bad, 'AuthorizationFailure'),
        status(other, 403), member(other, '/error_code', 'forbidden'),
      );
    },
  },
  {
    id: 'authorization-ids', rows: ['AUTH-09', 'AUTH-10', 'AUTH-11'], role: 'carrier',
    title: 'Missing ids, an id unlike the path, another direction or test get 400',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      '/id', '/transport_order_id', ['/id', '1'], ['/direction', 'sideways'], ['/test', 'yes'],
    ])),
  },
];

async function codeWithout(
  session: Session, direction: string, part: string, wanted: string,
): Promise<readonly (string | undefined)[]> {
  const ask: Ask = authorizationAsk(session, { direction });
  const json = flawed(ask.json, `/shipment_information/${part}`);
  const reply = await session.send({ ...ask, json });
  return [status(reply, 400), member(reply, '/error_code', wanted)];
}
