import { anEntity, moveByEntityAsk, need, registeredDevice } from '../asks.ts';
import { verify, type Check } from '../check.ts';
import { equal, member, status } from '../findings.ts';
import { REMARKS } from '../remarks.ts';

/** Endpoints 7 and 8 by external entity. */
export const entityChecks: readonly Check[] = [
  {
    id: 'entity-started', rows: ['DEV-31'], role: 'receiver',
    title: 'Start by external entity starts its newest device: 200, then 208',
    level: 'should',
    remark: REMARKS.entityForm,
    run: async (session) => {
      const entity = anEntity(session);
      const id = await registeredDevice(session, entity);
      const first = await session.send(moveByEntityAsk(session, 'start', entity));
      const again = await session.send(moveByEntityAsk(session, 'start', entity));
      return verify(
        status(first, 200), session.shape(first, 'DeviceResource'), member(first, '/id', id),
        status(again, 208), equal('the device', again.json, first.json),
      );
    },
  },
  {
    id: 'entity-stopped', rows: ['DEV-31', 'DEV-33'], role: 'receiver',
    title: 'Stop by external entity gives 200 and inactive, a second time 208',
    level: 'should',
    remark: REMARKS.entityForm,
    run: async (session) => {
      const entity = anEntity(session);
      const id = await registeredDevice(session, entity);
      need(await session.send(moveByEntityAsk(session, 'start', entity)), 200);
      const first = await session.send(moveByEntityAsk(session, 'stop', entity));
      const again = await session.send(moveByEntityAsk(session, 'stop', entity));
      return verify(
        status(first, 200), member(first, '/id', id), member(first, '/status', 'inactive'),
        status(again, 208), member(again, '/id', id),
      );
    },
  },
  {
    id: 'entity-unknown', rows: ['DEV-32', 'DEV-33'], role: 'receiver',
    title: 'Start and stop of an entity never registered, or stopped before start, get 404',
    level: 'should',
    remark: REMARKS.entityForm,
    run: async (session) => {
      const entity = anEntity(session);
      const start = await session.send(moveByEntityAsk(session, 'start', entity));
      const stop = await session.send(moveByEntityAsk(session, 'stop', entity));
      await registeredDevice(session, entity);
      need(await session.send(moveByEntityAsk(session, 'stop', entity)), 200);
      const late = await session.send(moveByEntityAsk(session, 'start', entity));
      return verify(status(start, 404), status(stop, 404), status(late, 404));
    },
  },
  {
    id: 'entity-query', rows: ['DEV-31'], role: 'receiver',
    title: 'Start by external entity without one of its two values starts nothing: 400 or 404',
    level: 'should',
    remark: REMARKS.entityForm,
    run: async (session) => {
      const entity = anEntity(session);
      await registeredDevice(session, entity);
      const ask = moveByEntityAsk(session, 'start', entity);
      const { external_entity_id: _id, ...withoutId } = ask.query ?? {};
      const { external_entity_type: _type, ...withoutType } = ask.query ?? {};
      return verify(
        status(await session.send({ ...ask, query: withoutId }), 400, 404),
        status(await session.send({ ...ask, query: withoutType }), 400, 404),
        status(await session.send(ask), 200),
      );
    },
  },
];
