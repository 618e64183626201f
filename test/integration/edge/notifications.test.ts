import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import { NOTIFICATIONS_BYTES_MAX } from '../../../services/kernel/limits.ts';
import { GOOD_FACTS, problemOf } from '../../support/edge.ts';
import { aNotification, without } from '../../support/notifications.ts';
import { BIG_IMAGE_BYTES, jpegBase64 } from '../../support/pictures.ts';
import { CARRIER, openPushEdge, type PushEdge, type Recorded } from '../../support/push-edge.ts';

const aClient = (client_id: string, tracking_numbers: readonly string[]): ClientRecorded => ({
  type: 'ClientRecorded', client_id, user_id: 'u', name: 'n', providers: [], audiences: [],
  scopes: [], secrets: [], status: 'active', version: 1, at_ms: 5,
  tracking_numbers: [...tracking_numbers],
});

describe('The push of notifications', () => {
  let at: PushEdge;
  beforeAll(async () => { at = await openPushEdge(); });
  afterAll(() => at.edge.close());
  beforeEach(() => at.reset());

  async function expectFaults(body: unknown, pointers: readonly string[]): Promise<void> {
    expect(await at.faultsOf(body)).toEqual(pointers);
    expect(at.log.appended).toEqual([]);
  }

  it('[NOT-01] takes one notification with 202 once the log has it', async () => {
    const response = await at.push(aNotification());
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ status: 202, message: 'Accepted' });
    const [record] = at.log.of('shipment.notifications.v1');
    expect(record).toMatchObject({
      key: 'RST1', headers: { client: 'carrier-1', source: 'push' },
      value: { type: 'NotificationRecorded', notification: aNotification() },
    });
    expect(response.headers.get('ingest-id')).toBe(record?.headers['ingest-id']);
  });

  it('[NOT-02] takes 500 in one call and refuses 501 and none', async () => {
    expect((await at.push(Array(500).fill(aNotification()))).status).toBe(202);
    expect(at.log.appended).toHaveLength(500);
    at.reset();
    const response = await at.push(Array(501).fill(aNotification()));
    expect([response.status, (await problemOf(response)).code]).toEqual([400, 'payload_too_large']);
    await expectFaults([], ['']);
  });

  it('[GEN-70] charges a call for each of its notifications, and none of a refused list', async () => {
    const chargedFor = async (body: unknown): Promise<number | undefined> => {
      await at.push(body);
      return at.edge.asked.at(-1)?.notifications;
    };
    expect(await chargedFor(aNotification())).toBe(1);
    expect(await chargedFor(Array(3).fill(aNotification()))).toBe(3);
    expect(await chargedFor([aNotification(), 7])).toBe(0);
  });

  it('[NOT-03] answers 401 without a valid token, 403 for another audience or scope', async () => {
    expect((await at.push(aNotification(), { authorization: null })).status).toBe(401);
    expect((await at.push(aNotification(), { authorization: 'Bearer nonsense' })).status).toBe(401);
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: undefined });
    const unknown = await at.push(aNotification());
    expect([unknown.status, (await problemOf(unknown)).status]).toEqual([401, 401]);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: { ...CARRIER, audience: 'rtt' } });
    expect((await at.push('{}')).status).toBe(403);
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: { ...CARRIER, scopes: [] } });
    expect((await at.push(aNotification())).status).toBe(403);
    expect(at.log.appended).toEqual([]);
  });

  it('[NOT-30] names every faulty notification of a list and stores none', async () => {
    await expectFaults(
      [aNotification(), without(aNotification('0114'), 'reason'), aNotification(), 7],
      ['/1/payload/reason', '/3'],
    );
  });

  it('[NOT-32] keeps the order of the notifications of one shipment', async () => {
    const list = Array.from({ length: 30 }, (_, at) => (
      { ...aNotification(`C${at}`), tracking_number: ` RST${at % 3}` }
    ));
    expect((await at.push(list)).status).toBe(202);
    for (const key of ['RST0', 'RST1', 'RST2']) {
      const codes = at.log.appended.filter((record) => record.key === key)
        .map(({ value }) => Number((value as Recorded).notification.code.slice(1)));
      expect(codes).toHaveLength(10);
      expect(codes).toEqual([...codes].sort((a, b) => a - b));
    }
  });

  it('knows a number by its characters and not by the blanks around it', async () => {
    await at.push({ ...aNotification(), tracking_number: '\u00a0RST1  ' });
    expect(at.log.appended[0]?.key).toBe('RST1');
    at.reset();
    await expectFaults({ ...aNotification(), tracking_number: ' ' }, ['/tracking_number']);
  });

  it('[NOT-45] keeps every spelling of a number as it was sent, under one key', async () => {
    const spellings = ['rst1', '\uff32\uff33\uff34\uff11', 'RS\u200bT1', ' Rst1\u00a0'];
    const list = spellings.map((tracking_number) => ({ ...aNotification(), tracking_number }));
    expect((await at.push(list)).status).toBe(202);
    expect(at.log.appended.map(({ key }) => key)).toEqual(Array(4).fill('RST1'));
    expect(at.recorded().map(({ notification }) => notification.tracking_number))
      .toEqual(spellings);
  });

  it.each(['a\u0000b', 'a\nb', 'a\u0085b', '\t'])(
    'refuses the control character in %j', async (tracking_number) => {
      await expectFaults({ ...aNotification(), tracking_number }, ['/tracking_number']);
    },
  );

  it('[GEN-18] takes the biggest signature image, and refuses a body beyond 6 MiB', async () => {
    const signed = (image: string, more = {}): string => JSON.stringify(aNotification('EX-HUB', {
      proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' }, image }, ...more,
    }));
    const biggest = jpegBase64(BIG_IMAGE_BYTES);
    const body = signed(biggest, { filler: '' });
    const room = NOTIFICATIONS_BYTES_MAX - Buffer.byteLength(body);
    const full = signed(biggest, { filler: 'x'.repeat(room) });
    expect((await at.push(full)).status).toBe(202);
    expect(at.recorded()[0]?.image).toMatchObject({ bytes: BIG_IMAGE_BYTES });
    at.reset();
    for (const over of [`${full} `, signed(biggest, { filler: 'x'.repeat(2_000_000) })]) {
      const response = await at.push(over);
      expect([response.status, (await problemOf(response)).code])
        .toEqual([400, 'payload_too_large']);
    }
    expect(at.log.appended).toEqual([]);
  });

  it('[NOT-43] takes a number never authorized here, and leaves whose it is to the log', async () => {
    expect((await at.push(aNotification())).status).toBe(202);
    expect(at.log.appended[0]?.value).not.toHaveProperty('owner');
  });

  it('[NOT-43] [NOT-47] takes a number of another carrier too, and records whose it is', async () => {
    await at.shipments.authorize('RST2', { carrier_client_id: 'carrier-2', at_ms: 1 });
    const list = [aNotification(), { ...aNotification(), tracking_number: 'rst2' }];
    expect((await at.push(list)).status).toBe(202);
    expect(at.log.appended.map(({ key, value }) => [key, (value as Recorded).owner])).toEqual([
      ['RST1', undefined],
      ['RST2', { client_id: 'carrier-2', basis: 'authorization', at_ms: 1 }],
    ]);
  });

  it('[NOT-47] knows whose a number is by the ranges that carriers declared', async () => {
    await at.shipments.access.applyClient(aClient('carrier-2', ['rst', 'RST1']));
    await at.shipments.access.applyClient(aClient('carrier-3', ['RST']));
    const list = ['RST1', 'RST9', 'X1'].map((tracking_number) => (
      { ...aNotification(), tracking_number }
    ));
    expect((await at.push(list)).status).toBe(202);
    expect(at.log.appended.map(({ value }) => (value as Recorded).owner?.client_id))
      .toEqual(['carrier-2', undefined, undefined]);
  });

  it('answers 500 without a store or a log, and takes the call again', async () => {
    at.shipments.failWith('state_unavailable');
    expect((await at.push(aNotification())).status).toBe(500);
    at.shipments.failWith();
    at.log.failWith('log_unavailable', 1);
    const response = await at.push(aNotification());
    expect([response.status, response.headers.has('retry-after')]).toEqual([500, true]);
    expect((await at.push(aNotification())).status).toBe(202);
  });

  it('writes no personal datum and no image into its log lines', async () => {
    const secret = 'CANARY-77';
    await at.push(aNotification('EX-HUB', {
      proof_of_delivery: {
        receiver_document: { type: 'CPF', number: secret }, receiver_name: secret, image: secret,
      },
      driver: { email: secret, license_plate: secret },
    }));
    expect(at.edge.lines.join('\n')).not.toContain(secret);
  });
});
