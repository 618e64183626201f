import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlatformReply } from '../../support/platform-calls.ts';
import type { TestEnv } from '../../support/platform.ts';
import {
  deviceBody, DEVICES_PATH, locationsBody, locationsPath, movePath, newActor, type Actor,
} from '../../support/platform-actor.ts';

const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Devices through both gateways (interface, 6 to 8). */
export function devicesSuite(at: () => TestEnv): void {
  describe('devices', () => {
    let actor: Actor;
    beforeAll(async () => { actor = await newActor(at()); });
    const byEntity = (verb: 'start' | 'stop', entityId: string, who = actor): Promise<PlatformReply> =>
      at().call(`/shipping/rtt/devices/${verb}_tracking?country_id=BR&external_entity_type=`
        + `acme_truck&external_entity_id=${encodeURIComponent(entityId)}`, { token: who.token }, 1);
    const id = (reply: PlatformReply): string => String(reply.body['id']);

    it('[DEV-01] [DEV-02] [DEV-03] [DEV-04] [DEV-05] [DEV-06] [DEV-07] [DEV-21] registers', async () => {
      const { status, body } = await actor.register('V-1');
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
        owner_id: actor.client.user_id, client_id: Number(actor.client.client_id),
        status: 'active',
        external_entity: { entity_id: 'V-1', entity_type: 'acme_truck' },
        transport: { id: 4_711 },
        device_specs: { type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'E1' },
        history: expect.any(Object) as object,
      });
      const history = body['history'] as Record<string, string>;
      expect(Object.keys(history).toSorted()).toEqual([
        'date_created', 'last_status_update', 'last_status_updated', 'last_updated',
      ]);
      for (const date of Object.values(history)) expect(date).toMatch(ISO_DATE);
    });

    it('[DEV-09] [DEV-11] refuses what is no device', async () => {
      const entity = { entity_id: 'x', entity_type: 'y' };
      for (const change of [
        { external_entity: undefined }, { external_entity: { entity_id: 'x' } },
        { external_entity: { entity_type: 'x' } }, { external_entity: { ...entity, entity_id: 7 } },
        { transport: undefined }, { transport: {} }, { transport: { id: '1x' } },
        { transport: { id: null } }, { transport: { id: 1.5 } },
        { device_specs: { device_type: 'gps' } }, { device_specs: { device_type: 'PHONE' } },
        { device_specs: [] }, { external_entity: [entity] },
      ]) {
        const { status, body } = await actor.register('bad', change);
        expect([JSON.stringify(change), status]).toEqual([JSON.stringify(change), 400]);
        expect(body['errors']).not.toEqual([]);
      }
    });

    it('[DEV-10] [DEV-12] needs no specs and no known type', async () => {
      const body = {
        external_entity: { entity_id: '東京/Zürich "1"', entity_type: 'camel' },
        transport: { id: 9_007_199_254_740_991 },
      };
      const reply = await at().call(DEVICES_PATH, { token: actor.token, body });
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({ ...body, device_specs: {} });
    });

    it('[GEN-34] gives a Long of a transport back as the number that was sent', async () => {
      const id = '9223372036854775807';
      const actor = await newActor(at());
      const body = JSON.stringify(deviceBody('L-1'))
        .replace(/"transport":\{"id":\d+\}/, `"transport":{"id":${id}}`);
      expect(body).toContain(id);
      const answer = await fetch(`${at().urls[0]}${DEVICES_PATH}`, {
        method: 'POST', body,
        headers: { authorization: `Bearer ${actor.token}`, 'content-type': 'application/json' },
      });
      expect([answer.status, /"transport":\{"id":(\d+)\}/.exec(await answer.text())?.[1]])
        .toEqual([201, id]);
    });

    it('[DEV-13] several devices of a transport send each under its own id', async () => {
      const [one, two] = await Promise.all([actor.startedDevice(), actor.startedDevice()]);
      expect(one).not.toBe(two);
      expect([(await actor.send(one)).status, (await actor.send(two)).status]).toEqual([202, 202]);
    });

    it('[DEV-14] [DEV-15] again while active is 208, on the other gateway too', async () => {
      const first = await actor.register('V-2');
      const again = await actor.register('V-2', { transport: { id: 9 }, device_specs: {} }, 1);
      expect([again.status, again.body]).toEqual([208, first.body]);
    });

    it('[DEV-16] many at once on two gateways make one device', async () => {
      const entity = randomUUID();
      const replies = await Promise.all(Array.from({ length: 16 }, (_, i) =>
        actor.register(entity, {}, i % 2 === 0 ? 0 : 1)));
      expect(replies.map((reply) => reply.status).toSorted())
        .toEqual([201, ...Array.from({ length: 15 }, () => 208)]);
      expect(new Set(replies.map(id)).size).toBe(1);
    });

    it('[DEV-08] [DEV-17] [DEV-26] after stop it is registered again, and the old one stays', async () => {
      const first = await actor.register('V-3');
      await actor.start(id(first), 1);
      const stopped = await actor.stop(id(first), 1);
      const [before, after] = [first, stopped].map((reply) =>
        reply.body['history'] as Record<string, string>);
      expect(after?.['date_created']).toBe(before?.['date_created']);
      expect(Date.parse(after?.['last_updated'] ?? '')).toBeGreaterThan(
        Date.parse(before?.['last_updated'] ?? ''));
      const second = await actor.register('V-3', {}, 1);
      expect(second.status).toBe(201);
      expect(id(second)).not.toBe(id(first));
      expect((await actor.stop(id(first))).body).toEqual(stopped.body);
    });

    it('[DEV-18] another owner gets another device of the same entity', async () => {
      const other = await newActor(at());
      const [mine, theirs] = [await actor.register('V-4'), await other.register('V-4')];
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(id(theirs)).not.toBe(id(mine));
    });

    it('[DEV-22] [DEV-24] [DEV-25] starts at once on two gateways give one 200', async () => {
      const device = id(await actor.register());
      const replies = await Promise.all(Array.from({ length: 12 }, (_, i) =>
        actor.start(device, i % 2 === 0 ? 0 : 1)));
      expect(replies.map((reply) => reply.status).toSorted())
        .toEqual([200, ...Array.from({ length: 11 }, () => 208)]);
      const again = await actor.start(device, 1);
      expect([again.status, again.body]).toEqual([208, replies[0]?.body]);
    });

    it('[DEV-27] [DEV-28] [DEV-34] stop is for good, started or not', async () => {
      const device = id(await actor.register());
      const stopped = await actor.stop(device);
      expect([stopped.status, stopped.body['status']]).toEqual([200, 'inactive']);
      const again = await actor.stop(device, 1);
      expect([again.status, again.body]).toEqual([208, stopped.body]);
      expect((await actor.start(device, 1)).status).toBe(404);
    });

    it('[DEV-29] [DEV-30] an unknown device and a foreign one are not found, alike', async () => {
      const foreign = await (await newActor(at())).startedDevice();
      for (const verb of ['start', 'stop'] as const) {
        const replies = await Promise.all(
          [foreign, randomUUID(), 'x', '%00', '{}', 'ä'.repeat(300)].map((device) =>
            at().call(movePath(device, verb), {
              token: actor.token, headers: { 'x-request-id': 'same' },
            })));
        for (const reply of replies) {
          expect([reply.status, reply.body]).toEqual([404, replies[0]?.body]);
        }
      }
    });

    it('[DEV-31] [DEV-32] [DEV-33] start and stop take an external entity too', async () => {
      const entity = 'V-5 & söhne';
      const device = id(await actor.register(entity));
      const started = await byEntity('start', entity);
      expect([started.status, id(started)]).toEqual([200, device]);
      expect((await byEntity('start', entity)).status).toBe(208);
      const path = locationsPath();
      const sent = await at().call(path, { token: actor.token, body: locationsBody(device) });
      expect(sent.status).toBe(202);
      expect((await byEntity('stop', entity)).status).toBe(200);
      expect((await byEntity('stop', entity)).status).toBe(208);
      expect((await byEntity('start', entity)).status).toBe(404);
      expect((await byEntity('start', 'never')).status).toBe(404);
      expect((await byEntity('stop', entity, await newActor(at()))).status).toBe(404);
      const missing = `/shipping/rtt/devices/start_tracking?country_id=BR`;
      expect((await at().call(missing, { token: actor.token })).status).toBe(404);
    });

    it('[GEN-05] a registration survives in the log with its start and stop', async () => {
      const device = id(await actor.register(randomUUID(), deviceBody()));
      await actor.start(device);
      await actor.stop(device);
      const types: string[] = [];
      await at().log.reader.readToEnd(['rtt.device-lifecycle.v1'], async (records) => {
        for (const record of records) {
          if (!('value' in record) || record.key !== device) continue;
          types.push((JSON.parse(record.value.toString()) as { type: string }).type);
        }
      });
      expect(types).toEqual(['DeviceRegistered', 'DeviceTrackingStarted', 'DeviceTrackingStopped']);
    });
  });
}
