import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { entityDigest } from '../../../services/adapters/redis/keys.ts';
import { aNotification } from '../../support/notifications.ts';
import { aFix, newActor, type Actor } from '../../support/platform-actor.ts';
import type { PlatformReply } from '../../support/platform-calls.ts';
import { personAt, rebuildRedisAt } from '../../support/platform-operator.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';

const canary = (what: string): string => `${what}-${randomBytes(12).toString('hex')}`;
const plate = canary('plate');

/** What names a vehicle, equipment and a person; the plain hash of a plate gives it away too. */
export const ERASED = {
  plate, hash: entityDigest('acme_truck', plate), equipment: canary('equipment'),
  receiver: canary('receiver'),
} as const;

const PUSH = '/shipping/tracking/notifications';

/** What differs from one answer to the next. */
const PASSING = ['age_seconds', 'instance', 'request_id'];

/** Free text of a fix; in the log it is in clear for seven days. */
const DRIVER = canary('driver');

/** Persons and devices that were erased stay so, whatever is rebuilt; everything else stays. */
export function erasureSuite(at: () => TestEnv): void {
  describe('an erasure', () => {
    const numbers = [`RST-${crypto.randomUUID()}`, `RST-${crypto.randomUUID()}`] as const;
    const names = [plate, canary('other')] as const;
    const devices: string[] = [];
    let actor: Actor;
    let push = '';
    let pull = '';

    const get = (path: string, token: string): Promise<PlatformReply> =>
      at().call(path, { method: 'GET', token }, 1);
    const feed = (number: string): Promise<PlatformReply> =>
      get(`/shipping/tracking/shipments/${number}/notifications`, pull);
    const device = (id = ''): Promise<PlatformReply> =>
      get(`/shipping/rtt/devices/${id}?country_id=BR`, actor.token);
    const lastFix = (id = ''): Promise<PlatformReply> =>
      get(`/shipping/rtt/devices/${id}/last_position?country_id=BR`, actor.token);
    /** Everything that can be asked about the two shipments and the two devices. */
    async function answers(): Promise<readonly unknown[]> {
      const replies = [
        ...await Promise.all(numbers.map(feed)), ...await Promise.all(devices.map(device)),
        ...await Promise.all(devices.map(lastFix)),
        ...await Promise.all(devices.map((id) => actor.start(id))),
        ...await Promise.all(names.map((name) => actor.register(name))),
      ];
      return replies.map(({ status, body }) => [
        status, Object.entries(body).filter(([name]) => !PASSING.includes(name)),
      ]);
    }

    it('has a person to erase, and one who stays', async () => {
      actor = await newActor(at(), '--scope', 'rtt:devices,rtt:locations,query:read');
      const carrier = await at().addClient(
        '--audience', 'logistic-feed,tracking-pull', '--scope', 'tracking:push,tracking:read',
      );
      push = await at().token(carrier, 'logistic-feed');
      pull = await at().token(carrier, 'tracking-pull');
      for (const number of numbers) {
        const notification = aNotification('0133', { comment: ERASED.receiver });
        const body = { ...notification, tracking_number: number };
        expect((await at().call(PUSH, { token: push, body })).status).toBe(202);
      }
      const device_specs = { brand: 'Acme', equipment_id: ERASED.equipment };
      for (const name of names) {
        const registered = await actor.register(name, { device_specs });
        expect([registered.status, registered.body['external_entity']])
          .toEqual([201, { entity_id: name, entity_type: 'acme_truck' }]);
        devices.push(String(registered.body['id']));
      }
      for (const id of devices) {
        expect((await actor.start(id)).status).toBe(200);
        const fix = aFix({ metadata: [{ name: 'driver', value: id === devices[0] ? DRIVER : 'x' }] });
        expect((await actor.send(id, [fix])).status).toBe(202);
      }
      await eventually('both notifications in the feed', async () => (
        JSON.stringify(await answers()).split(ERASED.receiver).length === 3
      ));
      expect(JSON.stringify(await answers()).split(plate)).toHaveLength(4);
    });

    /** How many rows analysts see of a device. */
    const rowsOf = (id = ''): Promise<readonly number[]> => Promise.all(
      ['v_locations', 'v_device_last', 'v_device_minutes'].map(async (view) => {
        const [found] = await at().query<{ rows: number }>(
          `SELECT toUInt32(count()) AS rows FROM ${view} WHERE device_id = '${id}'`,
        );
        return found?.rows ?? -1;
      }),
    );

    it('holds through a rebuild: every hash is as before it, and nothing erased comes back', async () => {
      // Projectors that do not run here catch up before anything is compared.
      await rebuildRedisAt(at());
      await eventually('both positions in the tables', async () => (
        (await rowsOf(devices[0]))[0] === 1 && (await rowsOf(devices[1]))[0] === 1
      ));
      const kept = (await answers()).filter((_, place) => place % 2 === 1);
      await personAt(at(), 'erase', '--shipment', numbers[0]);
      const { exitCode, value } = await personAt(at(), 'erase', '--device', devices[0] ?? '');
      expect({ exitCode, value })
        .toMatchObject({ exitCode: 0, value: { rows_deleted: 1, left: [] } });
      await eventually('answers without what was erased', async () => {
        const text = JSON.stringify(await answers());
        return !text.includes(plate) && text.split(ERASED.receiver).length === 2;
      });
      const erased = await answers();
      expect(erased.filter((_, place) => place % 2 === 1)).toEqual(kept);
      expect((await device(devices[0])).body).toMatchObject({
        status: 'active', external_entity: { entity_id: 'erased', entity_type: 'acme_truck' },
        device_specs: { brand: 'Acme' },
      });

      const { before, after } = await rebuildRedisAt(at());
      expect(after).toEqual(before);
      expect(before.entries).toBeGreaterThan(10);
      await eventually('The gateways after the rebuild', async () => (
        (await device(devices[1])).status === 200
      ));
      expect(await answers()).toEqual(erased);
      for (const about of [['--shipment', numbers[0]], ['--device', devices[0] ?? '']]) {
        const shown = JSON.stringify((await personAt(at(), 'show', ...about)).value);
        for (const value of Object.values(ERASED)) expect(shown).not.toContain(value);
      }
    }, 120_000);

    it('leaves nothing behind in any table of ClickHouse', async () => {
      const { env } = at();
      const [{ name: database } = { name: '' }] = await at().query<{ name: string }>(
        'SELECT currentDatabase() AS name',
      );
      const ask = async (sql: string) => (await fetch(env.CLICKHOUSE_URL, {
        method: 'POST', body: sql,
        headers: {
          'x-clickhouse-user': env.CLICKHOUSE_USER, 'x-clickhouse-key': env.CLICKHOUSE_PASSWORD,
        },
      })).text();
      const tables = (await ask(`SELECT name FROM system.tables WHERE database = '${database}'
        AND engine LIKE '%MergeTree' AND total_rows > 0`)).trim().split('\n');
      const texts = await Promise.all(tables.map((name) => (
        ask(`SELECT * FROM ${database}.${name} FORMAT JSONEachRow`)
      )));
      for (const known of [devices[0] ?? '', numbers[0]]) expect(texts.join('')).toContain(known);
      for (const value of [...Object.values(ERASED), DRIVER]) {
        expect(texts.join('')).not.toContain(value);
      }
      expect(await rowsOf(devices[0])).toEqual([0, 0, 0]);
      expect(await rowsOf(devices[1])).toEqual([1, 1, 1]);
    });
  });
}
