import { dataAsk, registeredDevice, startedDevice, stoppedDevice } from '../asks.ts';
import { anEvent, EVENT_NAMES, eventsBody, pairs, times } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { header, member, status } from '../findings.ts';
import { refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 10, telemetry events. */
export const eventChecks: readonly Check[] = [
  {
    id: 'events-accepted', rows: ['EVT-01', 'EVT-06', 'GEN-06'], role: 'receiver',
    title: 'Events get 202 with status 200 and success in the body, and an Ingest-Id',
    level: 'must',
    run: async (session) => {
      const reply = await send(session, {});
      return verify(
        status(reply, 202), member(reply, '/status', 200), member(reply, '/message', 'success'),
        ours(REMARKS.receipt, header(reply, 'ingest-id', /./)),
      );
    },
  },
  {
    id: 'events-names', rows: ['EVT-04', 'EVT-06'], role: 'receiver',
    title: 'Each of the six names is accepted, with nothing but the mandatory fields',
    level: 'must',
    run: async (session) => {
      const { start_date, end_date } = anEvent(session);
      const events = EVENT_NAMES.map((name) => ({ name, start_date, end_date }));
      return verify(status(await send(session, { events }), 202));
    },
  },
  {
    id: 'events-fields',
    rows: ['EVT-02', 'EVT-03', 'EVT-04', 'EVT-05', 'EVT-06', 'EVT-08'], role: 'receiver',
    title: 'A missing mandatory field, another name, or a wrong type gets 400',
    level: 'must',
    run: async (session) => {
      const body = eventsBody(session, await startedDevice(session));
      const event = '/events/0';
      const ask = dataAsk(session, 'events', body);
      return verify(
        await refuses(session, ask, [
          '/device_id', '/post_timestamp', '/events',
          `${event}/name`, `${event}/start_date`, `${event}/end_date`,
          [`${event}/name`, 'took_a_nap'], [`${event}/end_date`, 'yesterday'],
          [`${event}/metadata/0`, { name: 'n' }],
        ]),
        ours(REMARKS.form, await refuses(session, ask, [
          [`${event}/start_date`, '2026-02-30T10:00:00Z'],
          [`${event}/last_updated_date`, 1_764_000_000],
          [`${event}/distance`, 'far'], [`${event}/latitude`, 'north'], [`${event}/status`, 'new'],
        ])),
      );
    },
  },
  {
    id: 'events-external-id', rows: ['EVT-07'], role: 'receiver',
    title: 'external_id may be a string or a number',
    level: 'must',
    run: async (session) => {
      const event = anEvent(session);
      return verify(status(await send(session, {
        events: [{ ...event, external_id: 'e-1' }, { ...event, external_id: 17 }],
      }), 202));
    },
  },
  {
    id: 'events-pairs', rows: ['EVT-09'], role: 'receiver',
    title: 'An event with 21 items of metadata is accepted',
    level: 'should',
    remark: 'The limit of 20 items is stated for locations only.',
    run: async (session) => verify(status(await send(session, {
      events: [{ ...anEvent(session), metadata: pairs(21) }],
    }), 202)),
  },
  {
    id: 'events-many', rows: ['EVT-10'], role: 'receiver',
    title: '500 events in one body are accepted, 501 get 400',
    level: 'should',
    remark: REMARKS.limit,
    run: async (session) => verify(
      status(await send(session, { events: times(500, anEvent(session)) }), 202),
      status(await send(session, { events: times(501, anEvent(session)) }), 400),
    ),
  },
  {
    id: 'events-not-tracking', rows: ['EVT-11', 'EVT-12'], role: 'receiver',
    title: 'Events of a device not started, stopped, or unknown get 403',
    level: 'must',
    run: async (session) => {
      const of = (device_id: string) =>
        session.send(dataAsk(session, 'events', eventsBody(session, device_id)));
      const stopped = await of(await stoppedDevice(session));
      return verify(
        status(await of(await registeredDevice(session)), 403),
        status(stopped, 400, 403, 404) ?? ours(REMARKS.stopped, status(stopped, 403)),
        status(await of(session.unique('nobody')), 403),
      );
    },
  },
];

async function send(session: Session, change: object) {
  const body = eventsBody(session, await startedDevice(session));
  return session.send(dataAsk(session, 'events', { ...body, ...change }));
}
