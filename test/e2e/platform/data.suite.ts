import { beforeAll, describe, expect, it } from 'vitest';
import { entityDigest, keys, tagOfClient } from '../../../services/adapters/redis/keys.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';
import { newActor, nowSeconds, type Actor } from '../../support/platform-actor.ts';

const RECEIVER = '/shipping/rtt/georeceiver';
const COUNTRY = '?country_id=BR';
const EVENTS = `${RECEIVER}/acme/telemetry/events${COUNTRY}`;
const DEFERRED = `${RECEIVER}/acme/telemetry/events/deferred${COUNTRY}`;
const DELIVERIES = `${RECEIVER}/proximity/acme/locations${COUNTRY}`;

/** Events, deferred events, delivery locations through the whole platform (interface, 10 to 12). */
export function dataSuite(at: () => TestEnv): void {
  describe('events and deliveries', () => {
    let actor: Actor;
    beforeAll(async () => { actor = await newActor(at()); });

    const eventsOf = (device_id: string) => {
      const end_date = new Date(Date.now() - 60_000).toISOString();
      const event = { name: 'harsh_braking', start_date: end_date, end_date, external_id: 77 };
      return { device_id, post_timestamp: nowSeconds(), events: [event] };
    };
    const post = (path: string, body: object) => at().call(path, { token: actor.token, body }, 1);

    it('[EVT-01] [EVT-07] [GEN-06] events of a started device come to the view', async () => {
      const id = await actor.startedDevice();
      const sent = await post(EVENTS, eventsOf(id));
      expect(sent.status).toBe(202);
      expect(sent.body).toEqual({ status: 200, message: 'success' });
      expect(sent.headers.get('ingest-id')).toMatch(/^[0-9A-Za-z-]{16,}$/);
      await eventually('The event in its view', async () => {
        const rows = await at().query<{ external_id: string; transport_id: string }>(
          `SELECT external_id, toString(transport_id) AS transport_id FROM v_telemetry_events
           WHERE device_id = {id:String}`, { id },
        );
        return rows.length === 1 && rows[0]?.external_id === '77'
          && rows[0].transport_id === '4711';
      });
    });

    it('[EVT-11] [EVT-12] are refused like locations where the device may not send', async () => {
      const id = String((await actor.register()).body['id']);
      const codeOf = async (device: string): Promise<unknown[]> => {
        const { status, body } = await post(EVENTS, eventsOf(device));
        return [status, body['code']];
      };
      expect(await codeOf(id)).toEqual([403, 'tracking_not_started']);
      await actor.start(id);
      await actor.stop(id);
      expect(await codeOf(id)).toEqual([403, 'tracking_stopped']);
      const foreign = await (await newActor(at())).startedDevice();
      expect(await codeOf(foreign)).toEqual([403, 'device_not_allowed']);
      expect(await codeOf('no-such-device')).toEqual([403, 'device_not_allowed']);
    });

    it('[DEF-07] an answer to a command that never was is a 400', async () => {
      const { status, body } = await post(DEFERRED, {
        id: 'bm8=', transport_id: 1, route_distance: 1, post_timestamp: nowSeconds(), events: [],
      });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'telemetry_request_unknown', errors: [{ pointer: '/id' }],
      });
    });

    it('[DLV-01] [DLV-06] [DLV-10] deliveries come to the view and to the state store', async () => {
      const [a, b] = [`${actor.client.client_id}-a`, `${actor.client.client_id}-b`];
      const fix = { timestamp: nowSeconds() - 60, latitude: -23.5505, longitude: -46.6333 };
      const sent = await post(DELIVERIES, {
        post_timestamp: nowSeconds(), locations: [fix, { ...fix, timestamp: fix.timestamp + 1 }],
        device: { external_id: 'driver-7', external_type: 'type-never-seen' },
        traceables: [{ id: a, type: 'shipment' }, { id: b, type: 'shipment' }],
      });
      expect(sent.status).toBe(202);
      expect(sent.body).toEqual({ status: 202, message: 'Accepted' });
      await eventually('Four delivery locations', async () => {
        const rows = await at().query(
          'SELECT ts FROM v_delivery_locations WHERE traceable_id IN {ids:Array(String)}',
          { ids: [a, b] },
        );
        return rows.length === 4;
      });
      const { client_id } = actor.client;
      const digest = entityDigest('shipment', b);
      const key = keys.traceable(tagOfClient(client_id), client_id, digest);
      await eventually('The last place', async () => await at().raw.exists(key) === 1);
      expect(JSON.stringify(await at().raw.hgetall(key))).toContain('driver-7');
    });

    it('[DLV-03] [DLV-04] [DLV-05] names what a delivery lacks, and nothing beside it', async () => {
      const pointersOf = async (body: object): Promise<unknown> => {
        const reply = await post(DELIVERIES, body);
        expect(reply.status).toBe(400);
        return (reply.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
      };
      const fix = { timestamp: nowSeconds(), latitude: 1, longitude: 1 };
      const post_timestamp = nowSeconds();
      expect(await pointersOf({ post_timestamp, locations: [fix] }))
        .toEqual(['/device', '/traceables']);
      const cargo = {
        device: { external_id: 'd', external_type: 't' }, traceables: [{ id: 'p', type: 's' }],
      };
      expect(await pointersOf({ ...cargo, locations: [fix] })).toEqual(['/post_timestamp']);
      expect(await pointersOf({ ...cargo, post_timestamp })).toEqual(['/locations']);
    });
  });
}
