import { describe, expect, it } from 'vitest';
import { keys, tagOfClient } from '../../../services/adapters/redis/keys.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';
import {
  aFix, deviceBody, DEVICES_PATH, locationsBody, locationsPath, movePath, newActor, nowSeconds,
} from '../../support/platform-actor.ts';

/** The real-time tracking of a transport from its first call to its last (interface, 4). */
export function storySuite(at: () => TestEnv): void {
  describe('the story of a transport', () => {
    it('[LOC-01] [DEV-01] [DEV-22] [DEV-26] [GEN-06] [GEN-13] goes from token to stop', async () => {
      const platform = at();
      const { client, token } = await newActor(platform);
      const registered = await platform.call(DEVICES_PATH, { token, body: deviceBody('T-1') });
      expect(registered.status).toBe(201);
      const id = String(registered.body['id']);
      const started = await platform.call(movePath(id, 'start'), { token }, 1);
      expect(started.status).toBe(200);
      expect(started.body).toMatchObject({ id, status: 'active' });

      const fix = aFix({
        altitude: 760, accuracy: 5, bearing: 90, bearing_accuracy: 1,
        metadata: [{ name: 'driver', value: 'Zé' }],
        telemetry: { timestamp: nowSeconds() - 60, ignition: true, speed: 72.5, odometer: 120_000 },
      });
      const sent = await platform.call(
        locationsPath(), { token, body: locationsBody(id, [fix]) }, 1,
      );
      expect(sent.status).toBe(202);
      expect(sent.body).toEqual({ status: 202, message: 'Accepted' });
      expect(sent.headers.get('content-type')).toBe('application/json');
      expect(sent.headers.get('ingest-id')).toMatch(/^[0-9A-Za-z-]{16,}$/);

      const rows = await storedRows(platform, id, 1);
      expect(rows).toEqual([{
        client_id: client.client_id, provider: 'acme', country_id: 'BR', transport_id: '4711',
        latitude: -23.5505, longitude: -46.6333, altitude: 760, speed: 72.5, ignition: true,
        metadata: { driver: 'Zé' },
      }]);
      const key = keys.lastFix(tagOfClient(client.client_id), id);
      await eventually('The last position', async () => await platform.raw.exists(key) === 1);
      expect(JSON.stringify(await platform.raw.hgetall(key))).toContain('-23.5505');

      const stopped = await platform.call(movePath(id, 'stop'), { token });
      expect(stopped.status).toBe(200);
      expect(stopped.body).toMatchObject({ id, status: 'inactive' });
      const late = await platform.call(locationsPath(), { token, body: locationsBody(id) }, 1);
      expect(late.status).toBe(403);
      expect(late.body).toMatchObject({ code: 'tracking_stopped' });
    });
  });
}

/** Rows of a device as an analyst sees them, once there are so many. */
export async function storedRows(
  platform: TestEnv, deviceId: string, least: number,
): Promise<readonly Record<string, unknown>[]> {
  let rows: readonly Record<string, unknown>[] = [];
  await eventually(`${least} rows in v_locations`, async () => {
    rows = await platform.query<Record<string, unknown>>(
      `SELECT client_id, provider, country_id, toString(transport_id) AS transport_id, latitude,
         longitude, altitude, speed, ignition, metadata
       FROM v_locations WHERE device_id = {id:String} ORDER BY ts`, { id: deviceId },
    );
    return rows.length >= least;
  });
  return rows;
}
