import { beforeAll, describe, expect, it } from 'vitest';
import { NOTIFICATIONS_BYTES_MAX } from '../../../services/kernel/limits.ts';
import { aNotification } from '../../support/notifications.ts';
import { BIG_IMAGE_BYTES, jpegBase64, PNG_BASE64 } from '../../support/pictures.ts';
import { shipmentAt } from '../../support/platform-operator.ts';
import { eventually, type TestEnv, type TestClient } from '../../support/platform.ts';

const PUSH = '/shipping/tracking/notifications';
const SCOPES = ['tracking:push', 'tracking:read', 'query:read'];

interface Page {
  readonly notifications: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

interface Carrier {
  readonly client: string;
  readonly push: string;
  readonly pull: string;
}

/** Shipments as their carrier sees them: pushed at one gateway, read back at the other. */
export function shipmentsSuite(at: () => TestEnv): void {
  describe('shipments', () => {
    let carrier: Carrier;
    beforeAll(async () => { carrier = await newCarrier(at()); });

    const shipment = (): string => `RST-${crypto.randomUUID()}`;
    const about = (tracking_number: string, code: string, more = {}) =>
      ({ ...aNotification(code, more), tracking_number });
    const signed = (image: string, more = {}) => ({
      ...more, proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' }, image },
    });
    const push = (body: unknown) => at().call(PUSH, { token: carrier.push, body });
    const read = (number: string, what: string, query = '', token = carrier.pull) => at().call(
      `/shipping/tracking/shipments/${number}/${what}${query}`, { method: 'GET', token }, 1,
    );
    const pull = async (number: string, query = ''): Promise<Page> => {
      const { status, body } = await read(number, 'notifications', query);
      expect(status).toBe(200);
      return body as unknown as Page;
    };
    const readable = (number: string, count: number): Promise<void> => eventually(
      `${count} notifications in the feed`,
      async () => {
        const { status, body } = await read(number, 'notifications');
        // It was never authorized: it is a carrier's from the outcome of its first notification on.
        return status === 200 && (body as unknown as Page).notifications.length === count;
      },
    );

    it('[PULL-01] [PULL-02] come back as they were pushed, with their images', async () => {
      const number = shipment();
      const sent = [
        about(number, 'EX-HUB', { reason: 'São Paulo' }),
        about(number, 'EX-ON-ROUTE'),
        about(number, 'EX-DELIVERED', signed(PNG_BASE64)),
      ];
      expect((await push(sent)).status).toBe(202);
      await readable(number, 3);
      expect(await pull(number)).toMatchObject({ notifications: sent, has_more: false });
    });

    it('[PULL-03] [PULL-04] are read on by the cursor, also for what comes later', async () => {
      const number = shipment();
      expect((await push(['C0', 'C1', 'C2'].map((code) => about(number, code)))).status).toBe(202);
      await readable(number, 3);
      const first = await pull(number, '?limit=2');
      expect([first.notifications.map(({ code }) => code), first.has_more])
        .toEqual([['C0', 'C1'], true]);
      const second = await pull(number, `?limit=2&cursor=${first.next_cursor}`);
      expect([second.notifications.map(({ code }) => code), second.has_more])
        .toEqual([['C2'], false]);
      expect((await push(about(number, 'C3'))).status).toBe(202);
      await readable(number, 4);
      const later = await pull(number, `?cursor=${second.next_cursor}`);
      expect(later.notifications.map(({ code }) => code)).toEqual(['C3']);
    });

    it('show their journey: every notification, the rule and the state after it', async () => {
      const number = shipment();
      await push([
        about(number, 'EX-HUB'), about(number, 'EX-HUB'), about(number, 'EX-DELIVERED'),
        about(number, 'EX-ON-ROUTE'),
      ]);
      const rules = async (): Promise<unknown> => {
        const { body } = await read(number, 'journey');
        const entries = (body['entries'] ?? []) as { rule: string; state?: { status?: string } }[];
        return entries.map(({ rule, state }) => `${rule} ${state?.status ?? ''}`);
      };
      await eventually('The whole journey', async () => (await rules() as unknown[]).length === 4);
      expect(await rules()).toEqual([
        'first in_transit', 'repeated_content in_transit', 'final_code delivered',
        'after_final delivered',
      ]);
      expect((await read(number, 'journey')).body)
        .toMatchObject({ state: { status: 'delivered', final: true } });
    });

    it('[PULL-05] [PULL-10] are closed to every other client', async () => {
      const number = shipment();
      await push(about(number, 'EX-HUB'));
      await readable(number, 1);
      const other = await newCarrier(at());
      for (const what of ['notifications', 'journey']) {
        expect((await read(number, what, '', 'nonsense')).status).toBe(401);
        expect((await read(number, what, '', carrier.push)).status).toBe(403);
        expect((await read(number, what, '', other.pull)).status).toBe(404);
        expect((await read(shipment(), what)).status).toBe(404);
        expect((await read(number, what, '?cursor=x')).status).toBe(400);
      }
    });

    it('[NOT-47] [NOT-48] in dispute are kept apart until an operator says whose they are', async () => {
      const number = shipment();
      const [first, second] = [carrier, await newCarrier(at())];
      await push(about(number, 'EX-DELIVERED'));
      await readable(number, 1);
      const bodies = [about(number.toLowerCase(), 'EX-HUB'), about(number, 'EX-ON-ROUTE')];
      const accepted = await at().call(PUSH, { token: second.push, body: bodies });
      expect(accepted.status).toBe(202);
      const receipt = async (): Promise<unknown> => (await at().call(
        `/shipping/tracking/ingest/${accepted.headers.get('ingest-id') ?? ''}`,
        { method: 'GET', token: second.push },
      )).body['outcomes'];
      await eventually('The receipt of what is disputed', async () => (
        (await receipt() as { disputed?: number } | undefined)?.disputed === 2
      ));
      expect((await pull(number)).notifications).toHaveLength(1);
      expect((await read(number, 'notifications', '', second.pull)).status).toBe(404);

      const reassigned = await shipmentAt(at(), 'reassign', number, '--to', second.client);
      expect(reassigned).toMatchObject({ exitCode: 0, value: { applied_again: 2 } });
      await eventually('The feed of the other carrier', async () => {
        const { status, body } = await read(number, 'notifications', '', second.pull);
        return status === 200 && (body as unknown as Page).notifications.length === 2;
      });
      const { body } = await read(number, 'journey', '', second.pull);
      expect(body).toMatchObject({
        state: { code: 'EX-ON-ROUTE', final: false },
        entries: [{ code: 'EX-HUB', outcome: 'applied' }, { code: 'EX-ON-ROUTE' }],
      });
      await eventually('The receipt of what was applied', async () => (
        (await receipt() as { stored?: number }).stored === 2
      ));
      expect(await receipt()).toMatchObject({ disputed: 0 });
      expect((await read(number, 'notifications', '', first.pull)).status).toBe(404);
    });

    it('[NOT-46] take any proof of delivery, and give back what was sent', async () => {
      const number = shipment();
      const dialects = [`data:image/png;base64,${PNG_BASE64}`, PNG_BASE64.replaceAll('=', '')];
      const others = ['no picture, and no Base64!', 'aGVs bG8'];
      const sent = [...dialects, ...others].map((image) =>
        about(number, 'EX-DELIVERED', signed(image)));
      expect((await push(sent)).status).toBe(202);
      await readable(number, sent.length);
      const images = (await pull(number)).notifications.map((each) =>
        (each as ReturnType<typeof about>).payload['proof_of_delivery']);
      const given = [PNG_BASE64, PNG_BASE64, ...others];
      expect(images).toMatchObject(given.map((image) => ({ image })));
    });

    it('[GEN-18] take a body of 6 MiB with the biggest image, and no byte more', async () => {
      const number = shipment();
      const image = jpegBase64(BIG_IMAGE_BYTES);
      const empty = JSON.stringify(about(number, 'EX-DELIVERED', signed(image, { filler: '' })));
      const filler = 'x'.repeat(NOTIFICATIONS_BYTES_MAX - Buffer.byteLength(empty));
      const full = about(number, 'EX-DELIVERED', signed(image, { filler }));
      const text = JSON.stringify(full);
      expect(Buffer.byteLength(text)).toBe(NOTIFICATIONS_BYTES_MAX);
      expect((await push(text)).status).toBe(202);
      const over = await push(`${text} `);
      expect([over.status, over.body['code']]).toEqual([400, 'payload_too_large']);
      await readable(number, 1);
      expect((await pull(number)).notifications).toEqual([full]);
    });
  });
}

async function newCarrier(platform: TestEnv): Promise<Carrier> {
  const client: TestClient = await platform.addClient(
    '--audience', 'logistic-feed', '--audience', 'tracking-pull',
    ...SCOPES.flatMap((scope) => ['--scope', scope]),
  );
  return {
    client: client.client_id,
    push: await platform.token(client, 'logistic-feed'),
    pull: await platform.token(client, 'tracking-pull'),
  };
}
