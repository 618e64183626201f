import { dataAsk, need, rttAsk } from '../asks.ts';
import { anEvent, deferredBody, isoOf, times } from '../bodies.ts';
import { ours, verify, skipped, type Check, type CheckOutcome } from '../check.ts';
import { header, member, status, textAt } from '../findings.ts';
import { refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import type { Ask, KitReply } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 11, answers to process_telemetry_events. */
export const deferredChecks: readonly Check[] = [
  {
    id: 'deferred-accepted', rows: ['DEF-01', 'DEF-05', 'DEF-06', 'GEN-06'], role: 'receiver',
    title: 'The answer to a command gets 202 with status 200 and success in the body',
    level: 'must',
    run: (session) => answering(session, async ({ ask }) => {
      const reply = await session.send(ask);
      return verify(
        status(reply, 202), member(reply, '/status', 200), member(reply, '/message', 'success'),
        ours(REMARKS.receipt, header(reply, 'ingest-id', /./)),
      );
    }),
  },
  {
    id: 'deferred-repeated', rows: ['DEF-11'], role: 'receiver',
    title: 'The same answer again, and another answer to the same command, are accepted',
    level: 'should',
    remark: REMARKS.repeats,
    run: (session) => answering(session, async ({ ask, body }) => verify(
      status(await session.send(ask), 202), status(await session.send(ask), 202),
      status(await session.send({ ...ask, json: { ...body, route_distance: 7 } }), 202),
    )),
  },
  {
    id: 'deferred-fields', rows: ['DEF-02', 'DEF-03', 'DEF-04'], role: 'receiver',
    title: 'A missing mandatory field, another name, or a wrong type gets 400',
    level: 'must',
    run: (session) => answering(session, async ({ ask }) => {
      const event = '/events/0';
      return verify(await refuses(session, ask, [
        '/id', '/route_distance', '/transport_id', '/post_timestamp', '/events',
        ['/route_distance', 'far'], ['/transport_id', 'x'], ['/post_timestamp', 'now'],
        `${event}/name`, `${event}/start_date`, `${event}/end_date`,
        [`${event}/name`, 'took_a_nap'],
      ]));
    }),
  },
  {
    id: 'deferred-many', rows: ['DEF-10'], role: 'receiver',
    title: '500 events in one answer are accepted, 501 get 400',
    level: 'should',
    remark: REMARKS.limit,
    run: (session) => answering(session, async ({ ask, body }) => {
      const send = (count: number): Promise<KitReply> =>
        session.send({ ...ask, json: { ...body, events: times(count, anEvent(session)) } });
      return verify(status(await send(500), 202), status(await send(501), 400));
    }),
  },
  {
    id: 'deferred-other-transport', rows: ['DEF-08'], role: 'receiver',
    title: 'An answer for another transport than the command had gets 400',
    level: 'should',
    remark: 'Compare the transport with that of the command, and answer 400.',
    run: (session) => answering(session, async ({ ask }) => verify(
      await refuses(session, ask, [['/transport_id', session.uniqueNumber()]]),
    )),
  },
  {
    id: 'deferred-unasked', rows: ['DEF-07'], role: 'receiver',
    title: 'An answer that no command asked for gets 400',
    level: 'should',
    remark: 'Refuse an answer that no command asked for with 400.',
    run: async (session) => {
      const id = Buffer.from(session.unique('nobody-asked')).toString('base64');
      const body = deferredBody(session, id, session.uniqueNumber());
      return verify(status(await session.send(dataAsk(session, 'deferred', body)), 400));
    },
  },
];

interface Answering {
  readonly ask: Ask;
  readonly body: ReturnType<typeof deferredBody>;
}

/**
 * Only the receiver's platform can issue a command. Where it has our command API, that is asked to;
 * elsewhere no command can come from outside, so the check is skipped.
 */
async function answering(
  session: Session, check: (answer: Answering) => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  const id = Buffer.from(session.unique('asked')).toString('base64');
  const transport_id = session.uniqueNumber();
  // 500 is repeated until there is another answer: a state store that was just built is in doubt.
  const issued = await session.sendUntil(
    commandAsk(session, id, transport_id), (reply) => reply.status !== 500,
  );
  if (issued.status === 404 || issued.status === 403) {
    return skipped(`no command to answer: ${status(issued, 202) ?? ''}`);
  }
  const commandId = textAt(need(issued, 202), '/command_id');
  const path = `${commandPath(session)}/${commandId}`;
  need(await session.sendUntil({ ...rttAsk(session, path), method: 'GET' }, (reply) =>
    reply.status === 200), 200);
  const body = deferredBody(session, id, transport_id);
  return check({ ask: dataAsk(session, 'deferred', body), body });
}

function commandPath(session: Session): string {
  return `/platform/providers/${session.setup.provider}/commands`;
}

function commandAsk(session: Session, id: string, transport_id: number): Ask {
  const { country } = session.setup;
  return rttAsk(session, commandPath(session), {
    command: 'process_telemetry_events',
    id,
    transport: { id: transport_id, license_plate: 'KIT-0001', country_id: country },
    travel: {
      init_date: isoOf(session.nowSeconds() - 3_600), end_date: isoOf(session.nowSeconds()),
    },
  });
}
