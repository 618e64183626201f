import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { TestEnv } from '../../support/platform.ts';
import {
  deviceBody, DEVICES_PATH, locationsBody, locationsPath, movePath, newActor,
} from '../../support/platform-actor.ts';
import { storedRows } from './story.suite.ts';

/** What a call of a sandbox client could append: all but who it is and its tokens. */
const NEVER = [
  TOPICS.deviceLifecycle, TOPICS.locations, TOPICS.personalKeys, TOPICS.authorizations,
  TOPICS.notifications, TOPICS.telemetryEvents,
];

/** A sandbox client behind the real gateways, over the real log and tables. */
export function sandboxSuite(at: () => TestEnv): void {
  describe('the story of a sandbox client', () => {
    it('is answered as the real one, and reaches neither the log nor the tables', async () => {
      const platform = at();
      const client = await platform.addClient('--sandbox', '--provider', 'acme');
      const token = await platform.token(client);
      const records = (): Promise<readonly bigint[]> => (
        Promise.all(NEVER.map(({ name }) => platform.recordsIn(name)))
      );
      const before = await records();
      const registered = await platform.call(DEVICES_PATH, { token, body: deviceBody('T-1') });
      expect([registered.status, registered.headers.get('sandbox')]).toEqual([201, 'true']);
      const id = String(registered.body['id']);
      // Another gateway knows it at once, as with real ones.
      const early = await platform.call(locationsPath(), { token, body: locationsBody(id) }, 1);
      expect(early.body).toMatchObject({ code: 'tracking_not_started' });
      expect((await platform.call(movePath(id, 'start'), { token }, 1)).status).toBe(200);
      expect((await platform.call(movePath(id, 'start'), { token })).status).toBe(208);
      const sent = await platform.call(locationsPath(), { token, body: locationsBody(id) }, 1);
      expect([sent.status, sent.headers.get('sandbox')]).toEqual([202, 'true']);
      const receipt = await platform.call(
        `/shipping/rtt/ingest/${sent.headers.get('ingest-id') ?? ''}?country_id=BR`, { token, method: 'GET' },
      );
      expect(receipt.body).toMatchObject({ waiting: 0, outcomes: { stored: 1 } });
      const limited = await platform.call(
        locationsPath(), { token, body: locationsBody('sandbox-rate_limited') },
      );
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '300']);
      expect(await records()).toEqual(before);

      // Once a later post of a real client is in the tables, that of the sandbox would be too.
      const real = await newActor(platform);
      const device = await real.startedDevice();
      await platform.call(locationsPath(), { token: real.token, body: locationsBody(device) });
      await storedRows(platform, device, 1);
      for (const view of ['v_locations', 'v_location_outliers']) {
        expect(await platform.query(
          `SELECT 1 FROM ${view} WHERE client_id = {client:String}`, { client: client.client_id },
        ), view).toEqual([]);
      }
    });
  });
}
