import { dataAsk, need, registeredDevice, startedDevice, stoppedDevice } from '../asks.ts';
import { aFix, locationsBody, pairs, times } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { equal, header, matches, member, status } from '../findings.ts';
import { flawed, refuses } from '../flaws.ts';
import type { Session } from '../session.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoint 9, locations of transport devices. */
export const locationChecks: readonly Check[] = [
  {
    id: 'locations-accepted', rows: ['LOC-01', 'LOC-05', 'LOC-09', 'DEV-23', 'GEN-06'],
    role: 'receiver', title: 'Locations with every field get 202, Accepted and an Ingest-Id',
    level: 'must',
    run: async (session) => {
      const body = locationsBody(session, await startedDevice(session));
      const reply = await session.send(dataAsk(session, 'locations', body));
      return verify(
        status(reply, 202), session.shape(reply, 'AcceptedResponse'),
        member(reply, '/status', 202), member(reply, '/message', 'Accepted'),
        ours(REMARKS.receipt, header(reply, 'ingest-id', /./)),
      );
    },
  },
  {
    id: 'locations-least', rows: ['LOC-05', 'LOC-08', 'LOC-28'], role: 'receiver',
    title: 'Locations with only their mandatory fields are accepted, also from elsewhere',
    level: 'must',
    run: async (session) => {
      const { timestamp, latitude, longitude } = aFix(session);
      const fix = { timestamp, latitude, longitude, country_id: 'UY' };
      return verify(status(await send(session, { locations: [fix] }), 202));
    },
  },
  {
    id: 'locations-fields',
    rows: ['LOC-02', 'LOC-03', 'LOC-04', 'LOC-06', 'LOC-08', 'LOC-10', 'LOC-25', 'GEN-27'],
    role: 'receiver', title: 'A missing mandatory field, or one of a wrong type, gets 400',
    level: 'must',
    run: async (session) => {
      const body = locationsBody(session, await startedDevice(session));
      const fix = '/locations/0';
      const ask = dataAsk(session, 'locations', body);
      return verify(
        await refuses(session, ask, [
          '/device_id', '/post_timestamp', '/locations',
          `${fix}/timestamp`, `${fix}/country_id`, `${fix}/latitude`, `${fix}/longitude`,
          ['/post_timestamp', 'now'], [`${fix}/timestamp`, 'now'], [`${fix}/latitude`, 'north'],
          [`${fix}/metadata/0`, { name: 'n' }], [`${fix}/telemetry`, { speed: 1 }],
          [`${fix}/telemetry/speed`, 'fast'],
        ]),
        ours(REMARKS.form, await refuses(session, ask, [
          [`${fix}/latitude`, 90.1], [`${fix}/longitude`, -180.1],
          [`${fix}/telemetry/ignition`, 1], [`${fix}/telemetry/others/0`, { name: 'n', value: 1 }],
        ])),
      );
    },
  },
  {
    id: 'locations-pairs', rows: ['LOC-07'], role: 'receiver',
    title: '20 items of metadata and of telemetry.others are accepted, 21 get 400',
    level: 'must',
    run: async (session) => {
      const device = await startedDevice(session);
      const body = locationsBody(session, device);
      const ask = dataAsk(session, 'locations', body);
      const [meta, others] = ['/locations/0/metadata', '/locations/0/telemetry/others'];
      const full = flawed(flawed(body, [meta, pairs(20)]), [others, pairs(20)]);
      return verify(
        status(await session.send({ ...ask, json: full }), 202),
        await refuses(session, ask, [[meta, pairs(21)], [others, pairs(21)]]),
      );
    },
  },
  {
    id: 'locations-many', rows: ['LOC-19'], role: 'receiver',
    title: '1,000 locations in one body are accepted, 1,001 get 400',
    level: 'should',
    remark: REMARKS.limit,
    run: async (session) => {
      const { telemetry: _, ...fix } = aFix(session);
      return verify(
        status(await send(session, { locations: times(1_000, fix) }), 202),
        status(await send(session, { locations: times(1_001, fix) }), 400),
      );
    },
  },
  {
    id: 'locations-whole', rows: ['LOC-20', 'GEN-11'], role: 'receiver',
    title: 'One fault refuses the whole body and is pointed at',
    level: 'should',
    remark: 'Refuse the whole body and point at the fault, so that the sender can correct it.',
    run: async (session) => {
      const { latitude: _, ...bad } = aFix(session);
      const reply = await send(session, { locations: [aFix(session), bad] });
      return verify(
        status(reply, 400), matches(reply, '/errors/0/pointer', /^\/locations\/1(\/latitude)?$/),
      );
    },
  },
  {
    id: 'locations-odd', rows: ['LOC-21', 'LOC-22', 'LOC-26'], role: 'receiver',
    title: 'Odd but well-formed locations (0,0, of 1970, ahead, 130 percent) are accepted',
    level: 'should',
    remark: 'Take what is well-formed and mark it: a refused body is never sent again.',
    run: async (session) => {
      const fix = aFix(session);
      const reply = await send(session, { locations: [
        { ...fix, latitude: 0, longitude: 0 }, { ...fix, timestamp: fix.timestamp - 5_000_000 },
        { ...fix, timestamp: fix.timestamp + 900 }, { ...fix, latitude: 52 },
        { ...fix, timestamp: 0 }, { ...fix, timestamp: 4_294_967_295 },
        { ...fix, telemetry: { ...fix.telemetry, fuel_level: 130, battery_level: -5 } },
      ] });
      return verify(status(reply, 202));
    },
  },
  {
    id: 'locations-repeated', rows: ['LOC-17', 'LOC-18'], role: 'receiver',
    title: 'The same locations again, and others of the same time, are accepted',
    level: 'should',
    remark: REMARKS.repeats,
    run: async (session) => {
      const body = locationsBody(session, await startedDevice(session));
      const ask = dataAsk(session, 'locations', body);
      const other = flawed(body, ['/locations/0/latitude', -22.5]);
      return verify(
        status(await session.send(ask), 202), status(await session.send(ask), 202),
        status(await session.send({ ...ask, json: other }), 202),
      );
    },
  },
  {
    id: 'locations-unstarted', rows: ['LOC-12'], role: 'receiver',
    title: 'Locations of a device that is not started get 403',
    level: 'must',
    run: async (session) => {
      const body = locationsBody(session, await registeredDevice(session));
      return verify(status(await session.send(dataAsk(session, 'locations', body)), 403));
    },
  },
  {
    id: 'locations-stopped', rows: ['LOC-13', 'LOC-14'], role: 'receiver',
    title: 'Locations of a stopped device get 403, from the next call on',
    level: 'must',
    run: async (session) => {
      const body = locationsBody(session, await stoppedDevice(session));
      const reply = await session.send(dataAsk(session, 'locations', body));
      return verify(
        status(reply, 400, 403, 404) ?? ours(REMARKS.stopped, status(reply, 403)),
      );
    },
  },
  {
    id: 'locations-stranger', rows: ['LOC-16', 'RTT-16'], role: 'receiver',
    title: 'Locations of an unknown device get 403, not 404',
    level: 'must',
    run: async (session) => {
      need(await send(session, {}), 202);
      return verify(status(await send(session, { device_id: session.unique('nobody') }), 403));
    },
  },
  {
    id: 'locations-codes', rows: ['LOC-12', 'LOC-13'], role: 'receiver',
    title: 'The refusal says tracking_not_started or tracking_stopped',
    level: 'should',
    remark: 'Say by code whether tracking was not started yet or is stopped.',
    run: async (session) => {
      const codeOf = async (device: string) => {
        const ask = dataAsk(session, 'locations', locationsBody(session, device));
        return (await session.send(ask)).json as { code?: unknown } | undefined;
      };
      const unstarted = await codeOf(await registeredDevice(session));
      const stopped = await codeOf(await stoppedDevice(session));
      return verify(
        equal('the code before start', unstarted?.code, 'tracking_not_started'),
        equal('the code after stop', stopped?.code, 'tracking_stopped'),
      );
    },
  },
];

async function send(session: Session, change: object) {
  const body = locationsBody(session, await startedDevice(session));
  return session.send(dataAsk(session, 'locations', { ...body, ...change }));
}
