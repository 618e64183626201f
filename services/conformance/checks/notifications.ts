import { need } from '../asks.ts';
import { verify, skipped, type Check } from '../check.ts';
import { at, equal, header, matches, member, status } from '../findings.ts';
import { flawed, refuses } from '../flaws.ts';
import { aNotification, pushAsk } from '../shipments.ts';
import type { Ask } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 4, notifications pushed. */
export const notificationChecks: readonly Check[] = [
  {
    id: 'push-accepted', rows: ['NOT-01', 'NOT-34', 'NOT-43', 'GEN-06'], role: 'receiver',
    title: 'A notification gets 202, Accepted and an Ingest-Id, whatever its code',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const reply = await session.send(pushAsk(aNotification(session, session.unique('KIT'))));
      return verify(
        status(reply, 202), session.shape(reply, 'AcceptedResponse'),
        member(reply, '/status', 202), member(reply, '/message', 'Accepted'),
        header(reply, 'ingest-id', /./),
      );
    },
  },
  {
    id: 'push-list', rows: ['NOT-02'], role: 'receiver',
    title: 'A list of 500 notifications is accepted, one of 501 gets 400',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const list = (count: number) => Array.from({ length: count }, (_, index) =>
        aNotification(session, session.unique('KIT'), 'KIT-MOVED', 600 - index));
      return verify(
        status(await session.send(pushAsk(list(500))), 202),
        status(await session.send(pushAsk(list(501))), 400),
      );
    },
  },
  {
    id: 'push-fields', rows: ['NOT-04', 'NOT-05', 'NOT-06', 'NOT-16', 'NOT-22', 'NOT-24'],
    role: 'receiver', title: 'A missing mandatory field, or a malformed value, gets 400',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const good = aNotification(session, session.unique('KIT'));
      const proof = { receiver_document: { type: 'CPF', number: '1' } };
      const ask = pushAsk(flawed(good, ['/payload/proof_of_delivery', proof]));
      const document = '/payload/proof_of_delivery/receiver_document';
      return verify(
        await refuses(session, ask, [
          '/tracking_number', '/code', '/carrier_code', '/payload', '/payload/date',
          ['/payload/date', '2026-11-20 10:00'], ['/payload/date', '2026-11-20T10:00:00'],
          ['/payload/estimated_delivery_date', 'soon'],
          ['/payload/location/country_id', 'Uruguay!'],
          document, `${document}/type`, `${document}/number`,
        ]),
        status(await session.send(ask), 202),
      );
    },
  },
  {
    id: 'push-dates', rows: ['NOT-06', 'GEN-25'], role: 'receiver',
    title: 'Dates with Z and with any of the offset forms are accepted',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const good = aNotification(session, session.unique('KIT'));
      const dates = ['Z', '+03:00', '-0300', '+03'].map((zone) => `2026-01-20T10:00:00${zone}`);
      const list = dates.map((date) => flawed(good, ['/payload/date', date]));
      return verify(status(await session.send(pushAsk(list)), 202));
    },
  },
  {
    id: 'push-phones', rows: ['NOT-12'], role: 'receiver',
    title: 'A phone is + and up to 15 digits; anything else gets 400',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const phone = '/payload/driver/phone';
      const driver = { id: 'd', name: 'Ana', phone: '+123456789012345' };
      const good = aNotification(session, session.unique('KIT'));
      const ask = pushAsk(flawed(good, ['/payload/driver', driver]));
      return verify(
        status(await session.send(ask), 202),
        await refuses(session, ask, [
          [phone, '+1234567890123456'], [phone, '123456789'], [phone, '+12 345'],
        ]),
      );
    },
  },
  {
    id: 'push-optional', rows: ['NOT-15', 'NOT-17', 'NOT-19', 'NOT-23', 'NOT-28'],
    role: 'receiver', title: 'Optional parts may be there, all of them, or not',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const good = aNotification(session, session.unique('KIT'));
      const full = { ...good, payload: { ...good.payload, ...OPTIONAL_PARTS } };
      return verify(
        status(await session.send(pushAsk(full)), 202),
        status(await session.send(pushAsk(flawed(good, '/payload/location'))), 202),
      );
    },
  },
  {
    id: 'push-whole', rows: ['NOT-30'], role: 'receiver',
    title: 'One faulty notification refuses the whole list and is pointed at',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const good = aNotification(session, session.unique('KIT'));
      const reply = await session.send(pushAsk([good, good, flawed(good, '/code')]));
      return verify(status(reply, 400), matches(reply, '/errors/0/pointer', /^\/2(\/code)?$/));
    },
  },
  {
    id: 'push-repeated', rows: ['NOT-39', 'NOT-40', 'NOT-36'], role: 'receiver',
    title: 'Repeated, older and late notifications still get 202',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const number = session.unique('KIT');
      const one = aNotification(session, number);
      const older = aNotification(session, number, 'KIT-EARLIER', 3_600);
      const replies = [
        await session.send(pushAsk(one)), await session.send(pushAsk(one)),
        await session.send(pushAsk(older)),
      ];
      return verify(...replies.map((reply) => status(reply, 202)));
    },
  },
  {
    id: 'push-token', rows: ['NOT-03'], role: 'receiver',
    title: 'A push without a good token gets 401, with another audience 403',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const ask = pushAsk(aNotification(session, session.unique('KIT')));
      return verify(
        status(await session.send({ ...ask, token: null }), 401),
        status(await session.send({ ...ask, token: 'no-such-token' }), 401),
        status(await session.send({ ...ask, token: await session.token('rtt') }), 403),
      );
    },
  },
  {
    id: 'push-error-body', rows: ['GEN-08', 'GEN-09'], role: 'receiver',
    title: 'Errors of a push are problem details',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const reply = await session.send(pushAsk({}));
      return verify(
        status(reply, 400), header(reply, 'content-type', /^application\/problem\+json\b/),
        session.shape(reply, 'ProblemDetails'),
        member(reply, '/message', at(reply.json, '/detail')),
      );
    },
  },
  {
    id: 'push-after-final', rows: ['NOT-36', 'NOT-37', 'NOT-42'], role: 'receiver',
    title: 'After a final code a later notification gets 202 and changes nothing',
    level: 'should',
    remark: REMARKS.push,
    run: async (session) => {
      const { finalCode } = session.setup;
      if (finalCode === undefined) return skipped('name a final code of the receiver: --final-code');
      const number = session.unique('KIT');
      need(await session.send(pushAsk(aNotification(session, number, finalCode, 60))), 202);
      const late = await session.send(pushAsk(aNotification(session, number, 'KIT-LATE', 10)));
      const journey = await session.sendUntil(journeyAsk(number), (reply) =>
        at(reply.json, '/entries/1') !== undefined || reply.status >= 400 && reply.status !== 404);
      if (journey.status >= 400) return skipped(`no journey: ${status(journey, 200) ?? ''}`);
      return verify(
        status(late, 202), session.shape(journey, 'JourneyResource'),
        member(journey, '/state/code', finalCode), member(journey, '/state/final', true),
        equal('the later outcome', at(journey.json, '/entries/1/outcome'), 'ignored_after_final'),
      );
    },
  },
];

const OPTIONAL_PARTS = {
  reason: 'x'.repeat(64),
  comment: 'At the gate.',
  flight: { awb: '957-12345675' },
  location: {
    country_id: 'UY', state_name: 'Montevideo', neighborhood_name: 'Centro', facility: 'MVD1',
    geolocation: { geolocation_type: 'ROOFTOP', latitude: -34.9, longitude: -56.16 },
  },
  dimensions: { height: 10, width: 20, length: 30.5, weight: 1_500 },
  redispatch: { tracking_number: 'RD-1', carrier_id: 88, tracking_url: 'https://example.com/1' },
  driver: { id: 'd-1', name: 'Ana', email: 'ana@example.com', license_plate: 'KIT-1' },
  vehicle: { reference_type: 'license_plate', reference: 'KIT-1' },
  proof_of_delivery: {
    receiver_document: { type: 'CPF', number: '00000000191' }, receiver_last_name: 'Souza',
    receiver_name: 'Ana', receiver_relationship: 'buyer',
  },
};

function journeyAsk(tracking_number: string): Ask {
  const path = `/shipping/tracking/shipments/${tracking_number}/journey`;
  return { method: 'GET', path, audience: 'tracking-pull' };
}
