import { anEntity, moveAsk, need, registerAsk, registeredDevice, startedDevice } from '../asks.ts';
import { ours, verify, type Check } from '../check.ts';
import { at, different, equal, matches, member, status, textAt } from '../findings.ts';
import { refuses } from '../flaws.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoints 6, 7 and 8: register, start and stop by device id. */
export const deviceChecks: readonly Check[] = [
  {
    id: 'device-registered', rows: ['DEV-01', 'DEV-02', 'DEV-04', 'DEV-05', 'DEV-06', 'DEV-07'],
    role: 'receiver', title: 'A registration gives 201 and the whole device as registered',
    level: 'must',
    run: async (session) => {
      const ask = registerAsk(session);
      const reply = await session.send(ask);
      return verify(
        status(reply, 201), matches(reply, '/id', /./), matches(reply, '/status', /^active$/i),
        ours(REMARKS.device, session.shape(reply, 'DeviceResource'),
          member(reply, '/status', 'active')),
        member(reply, '/external_entity', at(ask.json, '/external_entity')),
        member(reply, '/transport/id', at(ask.json, '/transport/id')),
        member(reply, '/device_specs', { type: 'GPS', brand: 'kit', model: 'c1', equipment_id: 'eq-1' }),
        matches(reply, '/history/date_created', /^\d{4}-\d\d-\d\dT/),
      );
    },
  },
  {
    id: 'device-fields', rows: ['DEV-09', 'DEV-10', 'DEV-11'], role: 'receiver',
    title: 'A registration without its mandatory fields, or with a wrong type, gets 400',
    level: 'must',
    run: async (session) => verify(
      await refuses(session, registerAsk(session), [
        '/external_entity', '/external_entity/entity_id', '/external_entity/entity_type',
        '/transport', '/transport/id', ['/transport/id', 'van-17'],
        ['/device_specs/device_type', 'gps'],
      ]),
      await session.send({ ...registerAsk(session), json: {
        external_entity: anEntity(session), transport: { id: session.uniqueNumber() },
      } }).then((reply) => status(reply, 201)),
    ),
  },
  {
    id: 'device-known', rows: ['DEV-14', 'DEV-15'], role: 'receiver',
    title: 'Registering again while active gives 208 and the device unchanged',
    level: 'must',
    run: async (session) => {
      const entity = anEntity(session);
      const first = need(await session.send(registerAsk(session, entity)), 201);
      const again = await session.send(registerAsk(session, entity));
      return verify(status(again, 208), equal('the device', again.json, first.json));
    },
  },
  {
    id: 'device-registered-at-once', rows: ['DEV-16'], role: 'receiver',
    title: 'Registrations of one entity at the same time make one device',
    level: 'must',
    run: async (session) => {
      const ask = registerAsk(session);
      const replies = await Promise.all([1, 2, 3, 4].map(() => session.send(ask)));
      const ids = new Set(replies.map((reply) => at(reply.json, '/id')));
      const statuses = replies.map((reply) => reply.status).sort();
      return verify(
        equal('the status codes', statuses, [201, 208, 208, 208]),
        equal('the number of devices', ids.size, 1),
      );
    },
  },
  {
    id: 'device-started', rows: ['DEV-22', 'DEV-24'], role: 'receiver',
    title: 'Start gives 200 and the device, start again 208 and the same',
    level: 'must',
    run: async (session) => {
      const id = await registeredDevice(session);
      const first = await session.send(moveAsk(session, 'start', id));
      const again = await session.send(moveAsk(session, 'start', id));
      return verify(
        status(first, 200), status(again, 208),
        ours(REMARKS.device, session.shape(first, 'DeviceResource'), member(first, '/id', id),
          equal('the device', again.json, first.json)),
      );
    },
  },
  {
    id: 'device-started-at-once', rows: ['DEV-25'], role: 'receiver',
    title: 'Of starts at the same time one gets 200, the others 208',
    level: 'must',
    run: async (session) => {
      const ask = moveAsk(session, 'start', await registeredDevice(session));
      const replies = await Promise.all([1, 2, 3, 4].map(() => session.send(ask)));
      const statuses = replies.map((reply) => reply.status).sort();
      return verify(equal('the status codes', statuses, [200, 208, 208, 208]));
    },
  },
  {
    id: 'device-stopped', rows: ['DEV-26', 'DEV-27', 'DEV-08'], role: 'receiver',
    title: 'Stop gives 200 and the device as inactive, stop again 208 and the same',
    level: 'must',
    run: async (session) => {
      const id = await startedDevice(session);
      const first = await session.send(moveAsk(session, 'stop', id));
      const again = await session.send(moveAsk(session, 'stop', id));
      return verify(
        status(first, 200), status(again, 208),
        ours(REMARKS.device, session.shape(first, 'DeviceResource'),
          member(first, '/status', 'inactive'), equal('the device', again.json, first.json)),
      );
    },
  },
  {
    id: 'device-stopped-unstarted', rows: ['DEV-34'], role: 'receiver',
    title: 'Stop of a device that was never started gives 200 and disables it',
    level: 'should',
    remark: 'Let a stop disable a device that was never started.',
    run: async (session) => {
      const id = await registeredDevice(session);
      const stop = await session.send(moveAsk(session, 'stop', id));
      const start = await session.send(moveAsk(session, 'start', id));
      return verify(status(stop, 200), member(stop, '/status', 'inactive'), status(start, 404));
    },
  },
  {
    id: 'device-start-after-stop', rows: ['DEV-28'], role: 'receiver',
    title: 'Start after stop gets 404',
    level: 'should',
    remark: 'Answer 404: a stopped device is over, and is registered again.',
    run: async (session) => {
      const id = await startedDevice(session);
      need(await session.send(moveAsk(session, 'stop', id)), 200);
      return verify(status(await session.send(moveAsk(session, 'start', id)), 404));
    },
  },
  {
    id: 'device-again-after-stop', rows: ['DEV-17'], role: 'receiver',
    title: 'Registering again after stop gives 201 and another device',
    level: 'should',
    remark: 'Answer 201 with a new device: 208 is for an active one.',
    run: async (session) => {
      const entity = anEntity(session);
      const id = await registeredDevice(session, entity);
      need(await session.send(moveAsk(session, 'stop', id)), 200);
      const next = await session.send(registerAsk(session, entity));
      return verify(
        status(next, 201), different('the device id', textAt(next, '/id'), id),
        member(next, '/status', 'active'),
      );
    },
  },
  {
    id: 'device-unknown', rows: ['DEV-29'], role: 'receiver',
    title: 'Start and stop of an unknown device get 404',
    level: 'must',
    run: async (session) => {
      const id = '00000000-0000-5000-8000-000000000000';
      return verify(
        status(await session.send(moveAsk(session, 'start', id)), 404),
        status(await session.send(moveAsk(session, 'stop', id)), 404),
      );
    },
  },
];
