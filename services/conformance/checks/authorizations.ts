import { need } from '../asks.ts';
import { ours, verify, type Check, type Finding } from '../check.ts';
import { at, different, equal, matches, member, status, textAt } from '../findings.ts';
import { flawed, refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { authorizationAsk, shipmentOf } from '../shipments.ts';
import type { Ask, KitReply } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 1, authorize shipment: answers and repeats. */
export const authorizationChecks: readonly Check[] = [
  {
    id: 'authorized', rows: ['AUTH-01', 'AUTH-02', 'AUTH-34', 'AUTH-36'], role: 'carrier',
    title: 'A shipment with every object of the interface is AUTHORIZED',
    level: 'must',
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
    level: 'must',
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
    level: 'must',
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
    level: 'must',
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
    level: 'must',
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
    level: 'must',
    run: async (session) => {
      const test = await session.send(authorizationAsk(session, { test: true }));
      const real = await session.send(authorizationAsk(session, { test: false }));
      return verify(
        status(test, 200), status(real, 200),
        ours(
          'Let tracking numbers of test requests, and no others, begin with TEST.',
          matches(test, '/tracking_number', /^TEST/), matches(real, '/tracking_number', /^(?!TEST)/),
        ),
      );
    },
  },
  {
    id: 'authorized-in-time', rows: ['AUTH-44'], role: 'carrier',
    title: 'Twenty authorizations take less than a second each, on average',
    level: 'must',
    run: async (session) => {
      const startedMs = session.busyMs();
      for (let count = 0; count < 20; count += 1) {
        need(await session.send(authorizationAsk(session)), 200);
      }
      const averageMs = (session.busyMs() - startedMs) / 20;
      return verify(averageMs < 1_000 ? undefined : `the average is ${Math.round(averageMs)} ms`);
    },
  },
  {
    id: 'authorization-long-texts', rows: ['AUTH-37'], role: 'carrier',
    title: 'Descriptive texts of any length are cut for storage, not refused',
    level: 'must',
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
    title: 'A 400 body has error_code, status_message and FAILED',
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const reply = await session.send({ ...ask, json: flawed(ask.json, '/transport_order_id') });
      return verify(
        status(reply, 400), failureBody(reply),
        ours(
          'Name object and part in error_code, as in the one that is given; send nothing else.',
          session.shape(reply, 'AuthorizationFailure'),
          matches(reply, '/error_code', /^invalid_[a-z_]+_information\.[a-z_]+$/),
        ),
      );
    },
  },
  {
    id: 'authorization-sides', rows: ['AUTH-15', 'AUTH-16', 'AUTH-17', 'AUTH-29'], role: 'carrier',
    title: 'error_code names buyer and seller by direction, and the items of the package',
    level: 'must',
    run: async (session) => {
      const without = (direction: string, part: string, wanted: string) =>
        codeWithout(session, direction, part, wanted);
      const given = await without('forward', 'receiver', 'invalid_user_information.buyer');
      const others = await Promise.all([
        without('forward', 'sender', 'invalid_user_information.seller'),
        without('return', 'sender', 'invalid_user_information.buyer'),
        without('return', 'receiver', 'invalid_user_information.seller'),
        without('forward', 'package/items', 'invalid_package_information.items'),
      ]);
      return verify(
        given.status, given.code, others.map((each) => each.status),
        ours(
          'The interface gives one error_code; ours name the other side and the part in its way.',
          others.map(({ code }) => code),
        ),
      );
    },
  },
  {
    id: 'authorization-media-type', rows: ['AUTH-41'], role: 'carrier',
    title: 'No JSON, or another content type, gets 400 FAILED in its own body',
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const plain = { 'content-type': 'text/plain' };
      const half = await session.send({ ...ask, body: '{"id":' });
      const other = await session.send({ ...ask, headers: plain });
      return verify(
        status(half, 400), failureBody(half),
        ours(REMARKS.form, status(other, 400),
          [half, other].map((reply) => session.shape(reply, 'AuthorizationFailure'))),
      );
    },
  },
  {
    id: 'authorization-token', rows: ['AUTH-42', 'AUTH-43'], role: 'carrier',
    title: 'Without a good token nothing is authorized',
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      const as = (token: string | null) => session.send({ ...ask, token });
      return verify(
        status(await as(null), 400, 401, 403), status(await as('no-such-token'), 400, 401, 403),
        status(await session.send(ask), 200),
      );
    },
  },
  {
    id: 'authorization-token-answers', rows: ['AUTH-42', 'AUTH-43'], role: 'carrier',
    title: 'Without a good token 401, with another audience 403, both in the FAILED body',
    level: 'should',
    remark: 'Answer 401 and 403 in the body of the 400; the interface lists neither.',
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
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      return verify(
        await refuses(session, ask, ['/id', '/transport_order_id', ['/direction', 'sideways']]),
        ours(REMARKS.form, await refuses(session, ask, [['/id', '1'], ['/test', 'yes']])),
      );
    },
  },
];

async function codeWithout(
  session: Session, direction: string, part: string, wanted: string,
): Promise<{ readonly status: string | undefined; readonly code: string | undefined }> {
  const ask: Ask = authorizationAsk(session, { direction });
  const json = flawed(ask.json, `/shipment_information/${part}`);
  const reply = await session.send({ ...ask, json });
  return { status: status(reply, 400), code: member(reply, '/error_code', wanted) };
}

/** The members that the interface gives to a 400. */
function failureBody(reply: KitReply): Finding {
  return [
    member(reply, '/status', 'FAILED'), matches(reply, '/status_message', /./),
    matches(reply, '/error_code', /./),
  ];
}
