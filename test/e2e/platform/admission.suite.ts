import { beforeAll, describe, expect, it } from 'vitest';
import { CODES } from '../../../services/kernel/codes.ts';
import type { PlatformCallWishes, PlatformReply } from '../../support/platform-calls.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';
import {
  deviceBody, DEVICES_PATH, locationsBody, locationsPath, movePath, newActor, type Actor,
} from '../../support/platform-actor.ts';

const ENTITY = 'external_entity_id=none&external_entity_type=none';

/** Who may call what, the same on every RTT endpoint (interface, Authentication and Errors). */
export function admissionSuite(at: () => TestEnv): void {
  describe('admission', () => {
    let actor: Actor;
    let device: string;
    beforeAll(async () => {
      actor = await newActor(at());
      device = await actor.startedDevice();
    });
    /** Every RTT call there is, good but for what `country` and the wishes say. */
    const everyCall = (wishes: PlatformCallWishes, country = '?country_id=BR'): Promise<readonly PlatformReply[]> =>
      Promise.all([
        { path: `/shipping/rtt/devices${country}`, body: deviceBody('A-1') },
        { path: movePath(device, 'start', country) },
        { path: movePath(device, 'stop', country) },
        { path: `/shipping/rtt/devices/start_tracking${country || '?'}&${ENTITY}` },
        { path: `/shipping/rtt/devices/stop_tracking${country || '?'}&${ENTITY}` },
        { path: `/shipping/rtt/georeceiver/acme/locations${country}`, body: locationsBody(device) },
      ].map(({ path, ...its }) => at().call(path, { token: actor.token, ...its, ...wishes })));
    const statusesOf = (replies: readonly PlatformReply[]): readonly number[] =>
      [...new Set(replies.map((reply) => reply.status))];

    it('[RTT-01] [RTT-02] [RTT-03] every call needs a known country, or nothing happens', async () => {
      for (const [query, code] of [
        ['', 'missing_parameter'], ['?country_id=', 'missing_parameter'],
        ['?country=BR', 'missing_parameter'], ['?country_id=XX', 'invalid_parameter'],
        ['?country_id=brz', 'invalid_parameter'], ['?country_id=BRAZ', 'invalid_parameter'],
        ['?country_id=BR&country_id=AR', 'invalid_parameter'],
      ] as const) {
        const replies = await everyCall({}, query);
        expect([query, statusesOf(replies)]).toEqual([query, [400]]);
        expect(new Set(replies.map((reply) => reply.body['code']))).toEqual(new Set([code]));
      }
      expect((await actor.send(device)).status).toBe(202);
    });

    it('[RTT-19] every call takes any ISO 3166-1 id of a country, in any case', async () => {
      const other = await newActor(at());
      const register = (country: string): Promise<PlatformReply> => at().call(
        DEVICES_PATH.replace('BR', country), { token: other.token, body: deviceBody('A-3') },
      );
      const statuses = [];
      for (const country of ['br', 'BRA', 'bra']) statuses.push((await register(country)).status);
      expect(statuses).toEqual([201, 208, 208]);
    });

    it('[RTT-04] [GEN-08] [GEN-09] every call needs a token that is good', async () => {
      for (const authorization of [
        null, '', 'Bearer', 'Bearer x', `Bearer 00${'a'.repeat(43)}`, `Basic ${actor.token}`,
        actor.token, `Bearer ${actor.token}x`, `Bearer ${actor.token} ${actor.token}`,
        `Bearer ff${actor.token.slice(2)}`, `Bearer ${'x'.repeat(3_000)}`,
      ]) {
        const { token: _, ...others } = { token: '', headers: { authorization } };
        for (const reply of await everyCall(others)) {
          expect(reply.status).toBe(403);
          expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
          expect(reply.headers.get('content-type')).toBe('application/problem+json');
          expect(Object.keys(reply.body).toSorted()).toEqual([
            'code', 'detail', 'errors', 'instance', 'message', 'request_id', 'status', 'title',
            'type',
          ]);
          expect(reply.body).toMatchObject({
            status: 403, code: 'invalid_token', message: reply.body['detail'],
          });
        }
      }
    });

    it('[RTT-06] [RTT-07] each scope opens its own endpoints only', async () => {
      const [devices, locations, events] = await Promise.all(
        ['rtt:devices', 'rtt:locations', 'rtt:events'].map((scope) =>
          newActor(at(), '--scope', scope)));
      const of = async (who: Actor | undefined): Promise<readonly (readonly unknown[])[]> =>
        (await everyCall({ token: who?.token ?? '' })).map((reply) =>
          [reply.body['code'], reply.headers.get('www-authenticate')]);
      const closed = ['insufficient_scope', 'Bearer error="insufficient_scope"'];
      expect((await of(devices)).map(([code]) => code === 'insufficient_scope'))
        .toEqual([false, false, false, false, false, true]);
      expect((await of(locations)).map(([code]) => code === 'insufficient_scope'))
        .toEqual([true, true, true, true, true, false]);
      expect(await of(events)).toEqual(Array.from({ length: 6 }, () => closed));
    });

    it('[RTT-08] [RTT-09] X-Client-Id may be absent, but not another’s', async () => {
      const sendAs = async (id: string | null): Promise<number> => (await at().call(
        locationsPath(), {
          token: actor.token, body: locationsBody(device), headers: { 'x-client-id': id },
        })).status;
      expect(await Promise.all([null, actor.client.client_id].map(sendAs))).toEqual([202, 202]);
      const stranger = await newActor(at());
      for (const id of [stranger.client.client_id, '', '0', `${actor.client.client_id}0`]) {
        const replies = await everyCall({ headers: { 'x-client-id': id } });
        expect(new Set(replies.map((reply) => reply.body['code'])))
          .toEqual(new Set(['client_id_mismatch']));
        expect(statusesOf(replies)).toEqual([403]);
      }
    });

    it('[RTT-10] [RTT-12] [RTT-13] [GEN-31] a room runs alone, with stricter rules', async () => {
      const strict = await at().openGateway('strict', ['devices'], {
        RASTRO_CLIENT_ID_REQUIRED: 'true', RASTRO_COUNTRIES: 'BR,AR,XK,UK=GB',
        RASTRO_REQUESTS_PER_SECOND: '1', RASTRO_REQUESTS_BURST: '6',
      });
      const limited = await newActor(at());
      const ask = (path: string, id?: string): Promise<PlatformReply> => strict.call(path, {
        token: limited.token, body: deviceBody('A-2'),
        headers: id === undefined ? {} : { 'x-client-id': id },
      });
      expect((await ask(DEVICES_PATH)).body).toMatchObject({ code: 'client_id_required' });
      expect((await ask(DEVICES_PATH)).status).toBe(403);
      const { client_id } = limited.client;
      expect((await ask(DEVICES_PATH, client_id)).status).toBe(201);
      expect((await ask(DEVICES_PATH.replace('BR', 'DE'), client_id)).status).toBe(400);
      expect((await ask(DEVICES_PATH.replace('BR', 'xk'), client_id)).status).toBe(208);
      expect((await ask(locationsPath(), client_id)).status).toBe(404);
      await eventually('The limit', async () => (await ask(DEVICES_PATH, client_id)).status === 429);
      const throttled = await ask(DEVICES_PATH, client_id);
      expect([throttled.status, throttled.body['code']]).toEqual([429, 'rate_limited']);
      expect(throttled.headers.get('retry-after')).toBe('300');
      expect(throttled.headers.get('ratelimit-limit')).toBe('6');
      const other = await strict.call(DEVICES_PATH, {
        token: actor.token, body: deviceBody('A-3'),
        headers: { 'x-client-id': actor.client.client_id },
      });
      expect(other.status).toBe(201);
      await strict.part.stop();
    });

    it('[RTT-11] the provider of the path must be one of the caller', async () => {
      for (const provider of [
        'other', 'ACME', 'acme.', 'acme%20', '-acme', 'a'.repeat(65), '%00', 'acm%C3%A9',
      ]) {
        const path = `/shipping/rtt/georeceiver/${provider}/locations?country_id=BR`;
        const reply = await at().call(path, { token: actor.token, body: locationsBody(device) });
        expect([provider, reply.status, reply.body['code']])
          .toEqual([provider, 403, 'provider_not_allowed']);
      }
    });

    it('[GEN-10] answers errors with codes of the one table, and their request id', async () => {
      const replies = await Promise.all([
        everyCall({}, '?country_id=XX'), everyCall({ token: 'x' }),
        everyCall({ headers: { 'x-request-id': 'mine-1' }, token: 'x' }),
      ]);
      for (const reply of replies.flat()) {
        expect(Object.keys(CODES)).toContain(reply.body['code']);
        expect(reply.body['request_id']).toBe(reply.headers.get('x-request-id'));
      }
      expect(replies[2]?.[0]?.body['request_id']).toBe('mine-1');
    });

    it('[GEN-29] paths that are none are 404', async () => {
      for (const [method, path] of [
        ['GET', '/v1'], ['POST', '/v1/shipping/rtt/devices?country_id=BR'], ['POST', '/shipping/rtt/devices/'],
        ['POST', '/Shipping/rtt/devices'], ['POST', '//shipping/rtt/devices'],
      ] as const) {
        const reply = await at().call(path, { method, token: actor.token });
        expect([method, path, reply.status]).toEqual([method, path, 404]);
      }
    });

    it('[GEN-29] methods that a path does not have are 405, with those that it has', async () => {
      for (const [method, path, allowed] of [
        ['PUT', DEVICES_PATH, 'POST, GET, HEAD'], ['GET', locationsPath(), 'POST'],
        ['DELETE', locationsPath(), 'POST'],
      ] as const) {
        const reply = await at().call(path, { method, token: actor.token });
        expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allowed]);
      }
    });

    it('[GEN-30] every record names a schema that the registry has', async () => {
      const ids = new Set<number>();
      const topics = [
        'rtt.locations.v1', 'rtt.device-lifecycle.v1', 'oauth.tokens.v1', 'oauth.clients.v1',
      ];
      await at().log.reader.readToEnd(topics, async (records) => {
        for (const record of records) {
          expect(record).toHaveProperty('schemaId');
          if ('schemaId' in record) ids.add(record.schemaId);
        }
      });
      expect(ids.size).toBe(topics.length);
      for (const id of ids) {
        const answer = await fetch(`${at().registry.url}/schemas/ids/${id}`);
        expect([id, answer.status]).toEqual([id, 200]);
      }
    });

    it('[GEN-07] [GEN-01] has written no dead letter, and answered nothing with 5xx', async () => {
      expect(await at().recordsIn('dead-letters.v1')).toBe(0n);
      await eventually('The writer has caught up', async () => {
        const [row] = await at().query<{ n: string }>('SELECT count() AS n FROM v_locations');
        return Number(row?.n) > 0;
      });
      expect([...at().answered].filter(([status]) => status >= 500)).toEqual([]);
    });
  });
}
