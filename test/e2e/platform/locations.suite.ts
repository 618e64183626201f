import { beforeAll, describe, expect, it } from 'vitest';
import { keys, tagOfClient } from '../../../services/adapters/redis/keys.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';
import {
  aFix, locationsBody, locationsPath, newActor, nowSeconds, type Actor,
} from '../../support/platform-actor.ts';
import { storedRows } from './story.suite.ts';

/** Locations through both gateways into the tables (interface, 9). */
export function locationsSuite(at: () => TestEnv): void {
  describe('locations', () => {
    let actor: Actor;
    beforeAll(async () => { actor = await newActor(at()); });
    const codeOf = async (sending: ReturnType<Actor['send']>): Promise<unknown[]> => {
      const { status, body } = await sending;
      return [status, body['code']];
    };

    it('[LOC-12] [LOC-13] are taken between start and stop only', async () => {
      const id = String((await actor.register('L-1')).body['id']);
      expect(await codeOf(actor.send(id))).toEqual([403, 'tracking_not_started']);
      await actor.start(id, 1);
      expect((await actor.send(id)).status).toBe(202);
      await actor.stop(id);
      expect(await codeOf(actor.send(id, [aFix()], 1))).toEqual([403, 'tracking_stopped']);
      const again = String((await actor.register('L-1')).body['id']);
      await actor.start(again);
      expect(await codeOf(actor.send(id))).toEqual([403, 'tracking_stopped']);
      expect((await actor.send(again, [aFix()], 1)).status).toBe(202);
    });

    it('[LOC-14] [LOC-15] [GEN-05] the stop is a fence on both gateways', async () => {
      const id = await actor.startedDevice();
      const begin = nowSeconds() - 10_000;
      const accepted = new Set<number>();
      let fencedAt = Infinity;
      let sentCount = 0;
      const late: string[] = [];
      const sendOn = async (which: 0 | 1): Promise<void> => {
        for (let stopped = false; !stopped;) {
          const timestamp = begin + sentCount;
          sentCount += 1;
          const begunAt = performance.now();
          const { status, body } = await actor.send(id, [aFix({ timestamp })], which);
          if (status === 202) accepted.add(timestamp);
          else expect([status, body['code']]).toEqual([403, 'tracking_stopped']);
          if (status === 202 && begunAt > fencedAt) late.push(`${timestamp} on ${which}`);
          stopped = begunAt > fencedAt;
        }
      };
      const senders = Array.from({ length: 12 }, (_, i) => sendOn(i % 3 === 0 ? 0 : 1));
      await eventually('Some posts', () => accepted.size >= 60);
      const stopped = await actor.stop(id, 0);
      fencedAt = performance.now();
      expect(stopped.status).toBe(200);
      await Promise.all(senders);
      expect(late).toEqual([]);
      await eventually('All accepted locations', async () => {
        const rows = await at().query<{ ts: number }>(
          'SELECT toUnixTimestamp(ts) AS ts FROM v_locations WHERE device_id = {id:String}', { id });
        return rows.length === accepted.size && rows.every(({ ts }) => accepted.has(ts));
      });
    });

    it('[LOC-16] an unknown device and a foreign one are answered alike', async () => {
      const foreign = await (await newActor(at())).startedDevice();
      const bodies = await Promise.all([foreign, 'no-such-device', '00000000'].map(async (id) => {
        const reply = await at().call(locationsPath(), {
          token: actor.token, body: locationsBody(id), headers: { 'x-request-id': 'same' },
        });
        expect(reply.status).toBe(403);
        return reply.body;
      }));
      expect(bodies[0]).toMatchObject({ code: 'device_not_allowed' });
      expect(bodies.slice(1)).toEqual([bodies[0], bodies[0]]);
    });

    it('[LOC-17] [LOC-18] one fact however often it is sent, two for other content', async () => {
      const id = await actor.startedDevice();
      const fix = aFix({ altitude: 1.5 });
      const repeats = await Promise.all([0, 1, 0, 1, 0].map((which) =>
        actor.send(id, [fix, fix], which === 0 ? 0 : 1)));
      expect(repeats.map((reply) => reply.status)).toEqual([202, 202, 202, 202, 202]);
      expect((await actor.send(id, [{ ...fix, latitude: -23.5506 }])).status).toBe(202);
      expect((await actor.send(id, [aFix({ timestamp: nowSeconds() })])).status).toBe(202);
      const rows = await storedRows(at(), id, 3);
      expect(rows.map((row) => row['latitude']).toSorted()).toEqual([-23.5505, -23.5505, -23.5506]);
    });

    it('[LOC-19] a thousand are a body, one more is too many', async () => {
      const id = await actor.startedDevice();
      const fixes = Array.from({ length: 1_001 }, (_, i) => aFix({ timestamp: nowSeconds() - i }));
      expect(await codeOf(actor.send(id, fixes))).toEqual([400, 'payload_too_large']);
      expect((await actor.send(id, fixes.slice(1))).status).toBe(202);
      expect(await storedRows(at(), id, 1_000)).toHaveLength(1_000);
    });

    it('[LOC-20] [GEN-11] one fault refuses the whole body and names every index', async () => {
      const id = await actor.startedDevice();
      const fixes = Array.from({ length: 70 }, (_, i) =>
        (i % 7 === 3 ? aFix({ latitude: 91 }) : aFix({ timestamp: nowSeconds() - i })));
      const { status, body } = await actor.send(id, fixes);
      expect(status).toBe(400);
      const errors = body['errors'] as { pointer: string }[];
      expect(errors.map(({ pointer }) => pointer))
        .toEqual(Array.from({ length: 10 }, (_, i) => `/locations/${i * 7 + 3}/latitude`));
      const many = await actor.send(id, Array.from({ length: 80 }, () => aFix({ longitude: 181 })));
      expect(many.body['errors']).toHaveLength(50);
      expect((await actor.send(id, [aFix({ altitude: 7 })])).status).toBe(202);
      expect(await storedRows(at(), id, 1)).toHaveLength(1);
    });

    it('[LOC-21] [LOC-22] [LOC-28] odd fixes are kept, and the future is no last place', async () => {
      const id = await actor.startedDevice();
      const now = nowSeconds();
      const fixes = [
        aFix({ timestamp: now - 10, latitude: 1, country_id: 'AR' }),
        aFix({ timestamp: now + 900, latitude: 2 }),
        aFix({ timestamp: now - 200_000, latitude: 1 }),
      ];
      expect((await actor.send(id, fixes)).status).toBe(202);
      await eventually('The three rows', async () => (await at().query<{ flags: string[] }>(
        'SELECT flags FROM v_locations WHERE device_id = {id:String}', { id })).length === 3);
      const rows = await at().query<{ flags: string[]; country_id: string; call: string }>(
        `SELECT flags, country_id, call_country_id AS call FROM v_locations
         WHERE device_id = {id:String} ORDER BY ts`, { id });
      expect(rows[0]?.flags).toContain('stale');
      expect(rows[1]).toEqual({ flags: [], country_id: 'AR', call: 'BR' });
      expect(rows[2]?.flags).toContain('future');
      const key = keys.lastFix(tagOfClient(actor.client.client_id), id);
      await eventually('The last place', async () => await at().raw.exists(key) === 1);
      expect(JSON.stringify(await at().raw.hgetall(key))).toContain(String(now - 10));
    });

    it('[GEN-06] [GEN-07] each call has an Ingest-Id of its own, which the record carries', async () => {
      const id = await actor.startedDevice();
      const replies = await Promise.all([actor.send(id), actor.send(id, [aFix()], 1)]);
      const ids = replies.map((reply) => reply.headers.get('ingest-id'));
      expect(new Set(ids).size).toBe(2);
      const carried: (string | undefined)[] = [];
      await at().log.reader.readToEnd(['rtt.locations.v1'], async (records) => {
        for (const record of records) {
          if ('key' in record && record.key === id) carried.push(record.headers['ingest-id']);
        }
      });
      expect(carried.toSorted()).toEqual(ids.toSorted());
    });
  });
}
