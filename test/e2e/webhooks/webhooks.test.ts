import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTestEnv, type TestEnv } from '../../support/platform.ts';
import { newActor, type Actor } from '../../support/platform-actor.ts';
import { webhookAt } from '../../support/platform-operator.ts';
import { webhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const VAULT_KEY = Buffer.alloc(32, 9).toString('base64');

let platform: TestEnv;
let acme: Actor;
let other: Actor;
let receiver: WebhookReceiver;
let id: string;
let secret: string;

const webhook = (...args: string[]) => webhookAt(platform, VAULT_KEY, ...args);

beforeAll(async () => {
  receiver = await webhookReceiver();
  platform = await startTestEnv({
    partiesEnv: { RASTRO_VAULT_KEY: VAULT_KEY, RASTRO_PARTY_REQUEST_MS_MAX: '1000' },
  });
  acme = await newActor(platform, '--scope', 'rtt:devices,rtt:locations,query:read');
  other = await newActor(platform, '--scope', 'rtt:devices,rtt:locations,query:read');
  const added = await webhook(
    'add', '--client', acme.client.client_id, '--url', receiver.url, '--name', 'Acme', '--kind', 'device',
  );
  ({ webhook_id: id, secret } = added as { webhook_id: string; secret: string });
}, 150_000);
afterAll(async () => {
  await platform.close();
  receiver.close();
});

const of = (device: string) => (
  receiver.taken.filter(({ key }) => key === device).map(({ type }) => type)
);
const LIFE = ['DeviceRegistered', 'DeviceTrackingStarted'];

// One story of one webhook: every test goes on where the one before it ended.
describe('a webhook of a provider', () => {
  it('gets what happens to its devices, signed, and nothing of another', async () => {
    const [mine, theirs] = await Promise.all([acme.startedDevice(), other.startedDevice()]);
    await eventually('The life of the device', () => of(mine).length === 2);
    expect(of(mine)).toEqual(LIFE);
    for (const { headers, body } of receiver.taken) {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
    await acme.startedDevice();
    await eventually('Another device', () => receiver.taken.length === 4);
    expect(of(theirs)).toEqual([]);
  }, 120_000);

  it('gets all of it, in order, though its receiver is away and the sender is killed', async () => {
    const before = receiver.taken.length;
    receiver.answer = 'cut';
    const devices = [await acme.startedDevice(), await acme.startedDevice()];
    await eventually('A device that waits', async () => (
      (await webhook('show', id) as { waiting_keys: number }).waiting_keys > 0
    ));
    await platform.parties?.kill();
    receiver.answer = 204;
    await webhook('resume', id);
    await eventually('Both devices', () => receiver.taken.length >= before + 4);
    for (const device of devices) expect([...new Set(of(device))]).toEqual(LIFE);
  }, 120_000);

  it('has an outcome of each fact in the tables', async () => {
    const ids = new Set(receiver.taken.map((post) => post.id));
    await eventually('A row for each fact', async () => {
      const rows = await platform.query<{ record_id: string; state: string; attempts: string }>(
        'SELECT record_id, state, attempts FROM v_webhook_deliveries WHERE webhook_id = {id:String}', { id },
      );
      return rows.length === ids.size
        && rows.every(({ record_id, state }) => ids.has(record_id) && state === 'delivered');
    });
    const retries = await platform.query<{ reason: string }>(
      'SELECT DISTINCT reason FROM v_webhook_tries WHERE webhook_id = {id:String} AND outcome = \'retry\'', { id },
    );
    expect(retries).toEqual([{ reason: 'network' }]);
  }, 120_000);

  it('gets a range once more, and goes on after a pause', async () => {
    const ids = new Set(receiver.taken.map((post) => post.id));
    receiver.taken.splice(0);
    await webhook('replay', id, '--from', new Date(Date.now() - 3_600_000).toISOString());
    await eventually('Everything once more', () => (
      new Set(receiver.taken.map((post) => post.id)).size === ids.size
    ));
    await webhook('pause', id);
    await eventually('The pause', async () => (await webhook('show', id) as { status: string }).status === 'paused');
    await acme.startedDevice();
    const count = receiver.taken.length;
    await webhook('resume', id);
    await eventually('What came meanwhile', () => receiver.taken.length >= count + 2);
  }, 120_000);
});
