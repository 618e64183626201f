import {
  anEntity, dataAsk, moveAsk, moveByEntityAsk, need, RECEIVER_PATHS, registerAsk, registeredDevice,
  startedDevice,
} from '../asks.ts';
import { deferredBody, deliveryBody, eventsBody, locationsBody } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { at, header, member, status } from '../findings.ts';
import type { Session } from '../session.ts';
import type { Ask } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** A call without its country is invalid; for start and stop the interface lists no 400. */
const COUNTRY_REFUSALS = [400, 403, 404] as const;

/** What all RTT calls share: country, token, client id, provider, error body. */
export const rttChecks: readonly Check[] = [
  {
    id: 'rtt-country', rows: ['RTT-01', 'RTT-03', 'DLV-02'], role: 'receiver',
    title: 'Every RTT call without country_id, or with an unknown one, gets 400',
    level: 'must',
    run: async (session) => {
      const asks = await allAsks(session);
      const replies = await Promise.all(asks.flatMap((ask) => [
        session.send({ ...ask, query: withoutCountry(ask) }),
        session.send({ ...ask, query: { ...ask.query, country_id: 'QQ' } }),
      ]));
      return verify(...replies.map((reply) => status(reply, ...COUNTRY_REFUSALS)
        ?? ours('Answer 400, also for start and stop, whose table has none.', status(reply, 400))));
    },
  },
  {
    id: 'rtt-country-first', rows: ['RTT-02'], role: 'receiver',
    title: 'Start and stop without country_id neither start nor stop',
    level: 'must',
    run: async (session) => {
      const id = await registeredDevice(session);
      const [start, stop] = [moveAsk(session, 'start', id), moveAsk(session, 'stop', id)];
      const early = await session.send({ ...start, query: {} });
      const started = await session.send(start);
      const late = await session.send({ ...stop, query: {} });
      return verify(
        status(early, ...COUNTRY_REFUSALS), status(started, 200),
        status(late, ...COUNTRY_REFUSALS), status(await session.send(stop), 200),
      );
    },
  },
  {
    id: 'rtt-token', rows: ['RTT-04', 'RTT-16'], role: 'receiver',
    title: 'Every RTT call without a good token gets 403 and WWW-Authenticate',
    level: 'must',
    run: async (session) => {
      const asks = await allAsks(session);
      const replies = await Promise.all(asks.flatMap((ask) => [
        session.send({ ...ask, token: null }), session.send({ ...ask, token: 'no-such-token' }),
      ]));
      return verify(...replies.flatMap((reply) => [
        status(reply, 403),
        ours(REMARKS.challenge,
          header(reply, 'www-authenticate', /^Bearer\b.*error="invalid_token"/)),
      ]));
    },
  },
  {
    id: 'rtt-audience', rows: ['RTT-05'], role: 'receiver',
    title: 'Every RTT call with a token of another audience gets 403',
    level: 'must',
    run: async (session) => {
      const token = await session.token('revoke');
      const asks = await allAsks(session);
      const replies = await Promise.all(asks.map((ask) => session.send({ ...ask, token })));
      return verify(...replies.map((reply) => status(reply, 403)));
    },
  },
  {
    id: 'rtt-client-id', rows: ['RTT-08', 'RTT-09'], role: 'receiver',
    title: 'X-Client-Id may be the client of the token or missing; another one gets 403',
    level: 'should',
    remark: 'Take the client from the token; the interface names no header for it.',
    run: async (session) => {
      const as = (id: string) =>
        session.send({ ...registerAsk(session), headers: { 'x-client-id': id } });
      return verify(
        status(await session.send(registerAsk(session)), 201),
        status(await as(session.setup.clientId), 201),
        status(await as('999999999999999'), 403),
      );
    },
  },
  {
    id: 'rtt-provider', rows: ['RTT-11'], role: 'receiver',
    title: 'Data calls under a provider name that is no name, or not ours, get 403',
    level: 'must',
    run: async (session) => {
      const asks = await dataAsks(session);
      const replies = await Promise.all(asks.flatMap(({ ask, pathOf }) => [
        session.send({ ...ask, path: pathOf('NO.NAME') }),
        session.send({ ...ask, path: pathOf('somebody-else-altogether') }),
      ]));
      return verify(...replies.map((reply) => status(reply, 403)));
    },
  },
  {
    id: 'rtt-error-body', rows: ['GEN-08', 'GEN-09', 'GEN-11'], role: 'receiver',
    title: 'Errors of RTT calls are problem details, with code and message',
    level: 'should',
    remark: REMARKS.problem,
    run: async (session) => {
      const ask = registerAsk(session);
      const replies = await Promise.all([
        session.send({ ...ask, json: {} }), session.send({ ...ask, token: null }),
        session.send(moveAsk(session, 'start', 'no-such-device')),
      ]);
      return verify(...replies.flatMap((reply) => [
        header(reply, 'content-type', /^application\/problem\+json\b/),
        session.shape(reply, 'ProblemDetails'),
        member(reply, '/status', reply.status),
        member(reply, '/message', at(reply.json, '/detail')),
      ]));
    },
  },
];

/** Every RTT call, each good in itself; those that move a device come with one of their own. */
async function allAsks(session: Session): Promise<readonly Ask[]> {
  const entity = anEntity(session);
  const id = await registeredDevice(session, entity);
  const other = anEntity(session);
  const data = await dataAsks(session);
  return [
    registerAsk(session), moveAsk(session, 'start', id), moveAsk(session, 'stop', id),
    moveByEntityAsk(session, 'start', entity), moveByEntityAsk(session, 'stop', other),
    ...data.map(({ ask }) => ask),
  ];
}

async function dataAsks(session: Session) {
  const device = await startedDevice(session);
  const bodies = {
    locations: locationsBody(session, device),
    events: eventsBody(session, device),
    deferred: deferredBody(session, 'a2l0', session.uniqueNumber()),
    deliveries: deliveryBody(session),
  };
  need(await session.send(dataAsk(session, 'locations', bodies.locations)), 202);
  return Object.entries(RECEIVER_PATHS).map(([kind, pathOf]) => {
    const known = kind as keyof typeof RECEIVER_PATHS;
    return { pathOf, ask: dataAsk(session, known, bodies[known]) };
  });
}

function withoutCountry(ask: Ask): Readonly<Record<string, string>> {
  const { country_id: _, ...rest } = ask.query ?? {};
  return rest;
}
