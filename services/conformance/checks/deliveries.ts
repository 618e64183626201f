import { dataAsk } from '../asks.ts';
import { deliveryBody, pairs, times } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { header, member, status } from '../findings.ts';
import { flawed, refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 12, delivery locations. */
export const deliveryChecks: readonly Check[] = [
  {
    id: 'deliveries-accepted', rows: ['DLV-01', 'DLV-06', 'DLV-07', 'DLV-08', 'GEN-06'],
    role: 'receiver', title: 'Locations of a driver and parcels get 202, Accepted and an Ingest-Id',
    level: 'must',
    run: async (session) => {
      const reply = await session.send(dataAsk(session, 'deliveries', deliveryBody(session)));
      return verify(
        status(reply, 202), session.shape(reply, 'AcceptedResponse'),
        member(reply, '/status', 202), member(reply, '/message', 'Accepted'),
        ours(REMARKS.receipt, header(reply, 'ingest-id', /./)),
      );
    },
  },
  {
    id: 'deliveries-fields', rows: ['DLV-03', 'DLV-04', 'DLV-05', 'DLV-07'], role: 'receiver',
    title: 'A missing mandatory field gets 400',
    level: 'must',
    run: async (session) => verify(
      await refuses(session, dataAsk(session, 'deliveries', deliveryBody(session)), [
        '/post_timestamp', '/locations', '/device', '/device/external_id', '/device/external_type',
        '/traceables', '/traceables/0/id', '/traceables/1/type',
        '/locations/0/timestamp', '/locations/0/latitude', '/locations/0/longitude',
        ['/locations/0/latitude', 'north'], ['/locations/0/timestamp', 'now'],
      ]),
    ),
  },
  {
    id: 'deliveries-inside', rows: ['DLV-11'], role: 'receiver',
    title: 'device and traceables inside each location are accepted as well',
    level: 'should',
    remark: 'Take device and traceables in both places: the interface shows both.',
    run: async (session) => {
      const { device, traceables, ...rest } = deliveryBody(session);
      const locations = rest.locations.map((fix) => ({ ...fix, device, traceables }));
      const inside = { ...rest, locations };
      return verify(
        status(await session.send(dataAsk(session, 'deliveries', inside)), 202),
        status(await session.send(
          dataAsk(session, 'deliveries', { ...inside, device, traceables }),
        ), 202),
      );
    },
  },
  {
    id: 'deliveries-contradiction', rows: ['DLV-12'], role: 'receiver',
    title: 'device or traceables in both places and different get 400',
    level: 'should',
    remark: 'Answer 400 when the two places say different things.',
    run: async (session) => {
      const body = deliveryBody(session);
      const send = (extra: object) => session.send(dataAsk(session, 'deliveries', {
        ...body, locations: body.locations.map((fix) => ({ ...fix, ...extra })),
      }));
      return verify(
        status(await send({ device: { ...body.device, external_id: 'another' } }), 400),
        status(await send({ traceables: [{ id: 'another', type: 'shipment' }] }), 400),
      );
    },
  },
  {
    id: 'deliveries-pairs', rows: ['DLV-09'], role: 'receiver',
    title: '20 items of metadata are accepted, 21 get 400',
    level: 'must',
    run: async (session) => {
      const ask = dataAsk(session, 'deliveries', deliveryBody(session));
      const full = flawed(ask.json, ['/locations/0/metadata', pairs(20)]);
      return verify(
        status(await session.send({ ...ask, json: full }), 202),
        await refuses(session, ask, [['/locations/0/metadata', pairs(21)]]),
      );
    },
  },
  {
    id: 'deliveries-many', rows: ['DLV-13'], role: 'receiver',
    title: '1,000 locations in one body are accepted, 1,001 get 400; repeats are accepted',
    level: 'should',
    remark: REMARKS.limit,
    run: async (session) => verify(
      status(await many(session, 1_000), 202), status(await many(session, 1_001), 400),
    ),
  },
];

async function many(session: Session, count: number) {
  const body = deliveryBody(session);
  const { metadata: _, ...fix } = body.locations[0] ?? {};
  return session.send(dataAsk(session, 'deliveries', { ...body, locations: times(count, fix) }));
}
