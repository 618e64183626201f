import { need } from '../asks.ts';
import { verify, type Check } from '../check.ts';
import { equal, matches, member, status, textAt } from '../findings.ts';
import { refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { authorizationAsk, cancellationAsk, shipmentOf } from '../shipments.ts';
import type { Ask } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Cancellation of an authorized shipment (decisions). */
export const cancellationChecks: readonly Check[] = [
  {
    id: 'cancelled', rows: ['AUTH-47', 'AUTH-48'], role: 'carrier',
    title: 'A cancellation gets 200 and CANCELLED, again the same',
    level: 'should',
    remark: REMARKS.cancellation,
    run: async (session) => {
      const ask = await authorized(session);
      const first = await session.send(cancellationAsk(ask));
      const again = await session.send(cancellationAsk(ask));
      return verify(
        status(first, 200), session.shape(first, 'CancellationResponse'),
        member(first, '/id', shipmentOf(ask).id), member(first, '/status', 'CANCELLED'),
        status(again, 200), equal('the second answer', again.json, first.json),
      );
    },
  },
  {
    id: 'cancelled-epoch', rows: ['AUTH-50'], role: 'carrier',
    title: 'After a cancellation the order is authorized again, and repeats keep that number',
    level: 'should',
    remark: REMARKS.cancellation,
    run: async (session) => {
      const ask = await authorized(session);
      need(await session.send(cancellationAsk(ask)), 200);
      const next = await session.send(ask);
      const again = await session.send(ask);
      return verify(
        status(next, 200), member(next, '/status', 'AUTHORIZED'),
        member(again, '/tracking_number', textAt(next, '/tracking_number')),
      );
    },
  },
  {
    id: 'cancellation-fields', rows: ['AUTH-49', 'AUTH-38'], role: 'carrier',
    title: 'A cancellation without ids, or with an id unlike the path, gets 400 FAILED',
    level: 'should',
    remark: REMARKS.cancellation,
    run: async (session) => {
      const ask = cancellationAsk(await authorized(session));
      return verify(
        await refuses(session, ask, ['/id', '/transport_order_id', ['/id', '1']]),
        session.shape(await session.send({ ...ask, json: {} }), 'AuthorizationFailure'),
      );
    },
  },
  {
    id: 'cancellation-unknown', rows: ['AUTH-51'], role: 'carrier',
    title: 'A cancellation of an unknown shipment gets 400 FAILED',
    level: 'should',
    remark: REMARKS.cancellation,
    run: async (session) => {
      const reply = await session.send(cancellationAsk(authorizationAsk(session)));
      return verify(status(reply, 400), member(reply, '/status', 'FAILED'));
    },
  },
  {
    id: 'cancellation-token', rows: ['AUTH-42', 'AUTH-43'], role: 'carrier',
    title: 'A cancellation without a good token gets 401, with another audience 403',
    level: 'should',
    remark: REMARKS.cancellation,
    run: async (session) => {
      const ask = cancellationAsk(await authorized(session));
      const none = await session.send({ ...ask, token: null });
      const other = await session.send({ ...ask, token: await session.token('rtt') });
      return verify(
        status(none, 401), matches(none, '/error_code', /^unauthorized$/), status(other, 403),
      );
    },
  },
];

async function authorized(session: Session): Promise<Ask> {
  const ask = authorizationAsk(session);
  need(await session.send(ask), 200);
  return ask;
}
