import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GOOD_FACTS, problemOf } from '../../support/edge.ts';
import { aNotification } from '../../support/notifications.ts';
import { jpegBase64, PNG_BASE64 } from '../../support/pictures.ts';
import { openShipmentEdge, READER, type ShipmentEdge } from '../../support/shipment-edge.ts';

const withImage = (code: string, image: string): ReturnType<typeof aNotification> =>
  aNotification(code, {
    proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' }, image },
  });

describe('The feed of notifications', () => {
  let at: ShipmentEdge;
  beforeAll(async () => { at = await openShipmentEdge(); });
  afterAll(() => at.close());
  beforeEach(() => at.reset());

  const recordCodes = async (...codes: readonly string[]): Promise<void> => {
    for (const code of codes) await at.record(JSON.stringify(aNotification(code)));
  };
  const codesOf = (notifications: readonly Readonly<Record<string, unknown>>[]) =>
    notifications.map(({ code }) => code);

  it('[PULL-01] answers the number, its notifications, the next cursor and whether there is more',
    async () => {
      await recordCodes('EX-HUB');
      const response = await at.ask('notifications', 'RST1');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('ratelimit-limit')).toBe('400');
      expect(await response.json()).toEqual({
        tracking_number: 'RST1', notifications: [aNotification()],
        next_cursor: expect.stringMatching(/^[A-Za-z0-9_-]{1,255}$/), has_more: false,
      });
    });

  it('[PULL-01] answers a shipment without a notification with an empty page', async () => {
    expect(await at.pull()).toMatchObject({ notifications: [], has_more: false });
  });

  it('[PULL-02] gives push bodies in recorded order, with their images and unknown fields', async () => {
    const sent = [
      { ...aNotification('EX-HUB', { hub: { floor: 2 } }), own_field: 'é\u2028' },
      withImage('EX-DELIVERED', PNG_BASE64),
      aNotification('EX-HUB'),
    ];
    for (const each of sent) await at.record(JSON.stringify(each));
    expect((await at.pull()).notifications).toEqual(sent);
  });

  it('[PULL-02] keeps numbers as they were written', async () => {
    const cost = '12.50000000000000000001';
    const plain = JSON.stringify(aNotification('CBT-0260')).replace('12.5', cost);
    await at.record(plain);
    await at.record(JSON.stringify(withImage('CBT-0260', PNG_BASE64)).replace('12.5', cost));
    const text = await (await at.ask('notifications', 'RST1')).text();
    expect(text.split(cost)).toHaveLength(3);
    expect(text).toContain(plain);
  });

  it('[PULL-02] leaves out an image that was erased, and gives the rest', async () => {
    await at.record(JSON.stringify(withImage('EX-DELIVERED', PNG_BASE64)));
    await at.images.erase('RST1');
    const [only] = (await at.pull()).notifications;
    expect(only).toEqual(aNotification('EX-DELIVERED', {
      proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' } },
    }));
  });

  it.each([1, 2, 3, 7])(
    '[PULL-03] gives every notification exactly once by pages of at most %i', async (limit) => {
      const all = Array.from({ length: 7 }, (_, index) => `C${index}`);
      await recordCodes(...all);
      const seen: unknown[] = [];
      let page = await at.pull({ limit });
      seen.push(...codesOf(page.notifications));
      while (page.has_more) {
        expect(page.notifications).toHaveLength(limit);
        page = await at.pull({ limit, cursor: page.next_cursor });
        seen.push(...codesOf(page.notifications));
      }
      expect(seen).toEqual(all);
    },
  );

  it('[PULL-03] bounds a page by its bytes too, and never gives an empty one instead', async () => {
    const image = jpegBase64(3_000_000);
    for (const code of ['C0', 'C1', 'C2']) await at.record(JSON.stringify(withImage(code, image)));
    await recordCodes('C3');
    const first = await at.pull();
    expect([codesOf(first.notifications), first.has_more]).toEqual([['C0'], true]);
    const second = await at.pull({ cursor: first.next_cursor });
    expect([codesOf(second.notifications), second.has_more]).toEqual([['C1'], true]);
    const third = await at.pull({ cursor: second.next_cursor });
    expect([codesOf(third.notifications), third.has_more]).toEqual([['C2', 'C3'], false]);
  });

  it('[PULL-04] shows what was recorded later behind the cursor of the last page', async () => {
    const empty = await at.pull();
    await recordCodes('C0');
    const first = await at.pull({ cursor: empty.next_cursor });
    expect(codesOf(first.notifications)).toEqual(['C0']);
    const same = await at.pull({ cursor: first.next_cursor });
    expect(same).toMatchObject({ notifications: [], has_more: false });
    await recordCodes('C1');
    const later = await at.pull({ cursor: same.next_cursor });
    expect(codesOf(later.notifications)).toEqual(['C1']);
  });

  it('[PULL-04] goes on from a cursor after a restart', async () => {
    await recordCodes('C0', 'C1');
    const { next_cursor: cursor } = await at.pull({ limit: 1 });
    const again = await openShipmentEdge();
    try {
      await again.reset();
      again.history = at.history;
      expect(codesOf((await again.pull({ cursor })).notifications)).toEqual(['C1']);
    } finally {
      await again.close();
    }
  });

  it('[PULL-05] answers 401 without a valid token', async () => {
    for (const authorization of ['', 'Bearer nonsense']) {
      const response = await at.ask('notifications', 'RST1', { headers: { authorization } });
      expect([response.status, (await problemOf(response)).code]).toEqual([401, 'invalid_token']);
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: undefined });
    expect((await at.ask('notifications', 'RST1')).status).toBe(401);
  });

  it.each([
    [{ audience: 'logistic-feed' }, 'wrong_audience'],
    [{ audience: 'rtt' }, 'wrong_audience'],
    [{ scopes: ['query:read', 'tracking:push'] }, 'insufficient_scope'],
  ])('[PULL-05] [GEN-28] answers 403 to a token with %j', async (change, code) => {
    at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: { ...READER, ...change } });
    const response = await at.ask('notifications', 'RST1');
    expect([response.status, (await problemOf(response)).code]).toEqual([403, code]);
  });

  it('[NOT-45] finds a shipment by every spelling, and answers the one that was asked for', async () => {
    await recordCodes('C0');
    for (const number of ['rst1', 'RS\u200bT1', '\uff32\uff33\uff34\uff11']) {
      const response = await at.ask('notifications', ` ${number}`);
      expect(await response.json())
        .toMatchObject({ tracking_number: number, notifications: [{ code: 'C0' }] });
    }
  });

  it('[PULL-11] shows feed and journey to both parties alone', async () => {
    await recordCodes('C0');
    await at.shipments.authorize('RST1', { platform_client_id: 'platform-1', at_ms: 2 });
    const statuses: number[] = [];
    for (const clientId of [READER.clientId, 'platform-1', 'platform-2', 'carrier-2']) {
      at.edge.admit({ ...GOOD_FACTS, device: undefined, caller: { ...READER, clientId } });
      for (const what of ['notifications', 'journey'] as const) {
        statuses.push((await at.ask(what, 'RST1')).status);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 404, 404, 404, 404]);
  });

  it('[PULL-10] answers an unknown and a foreign number with the very same 404', async () => {
    const answers = await Promise.all(['RST2', 'RST404', ' \u0000', 'x'.repeat(300)].map(
      async (number) => {
        const response = await at.ask('notifications', number, {
          cursor: 'x', headers: { 'x-request-id': 'same' },
        });
        return `${response.status} ${await response.text()}`;
      },
    ));
    expect(answers[0]).toMatch(/^404 .*"code":"shipment_not_found"/);
    expect(new Set(answers).size).toBe(1);
  });

  it('[PULL-10] answers 400 to a cursor that was not given out for this page', async () => {
    await at.shipments.authorize('RST3', { carrier_client_id: READER.clientId, at_ms: 1 });
    const { next_cursor: other } = await (await at.ask('notifications', 'RST3')).json() as {
      next_cursor: string;
    };
    const { next_cursor: journey } = await (await at.ask('journey', 'RST1')).json() as {
      next_cursor: string;
    };
    const { next_cursor: own } = await at.pull();
    const forged = Buffer.from(`${Buffer.from(own, 'base64url').toString().slice(0, 33)}t:0:1`);
    const bad = [
      '', 'x', '%', `${own}=`, `${own}A`, own.slice(1), other, journey, 'A'.repeat(5_000),
      forged.toString('base64url'),
    ];
    for (const cursor of bad) {
      const response = await at.ask('notifications', 'RST1', { cursor });
      expect([cursor, response.status]).toEqual([cursor, 400]);
      expect(await problemOf(response)).toMatchObject({
        code: 'invalid_parameter', errors: [{ pointer: '/query/cursor' }],
      });
    }
  });

  it.each(['0', '501', '-1', '1.5', 'ten', ''])('answers 400 to the limit %j', async (limit) => {
    const response = await at.ask('notifications', 'RST1', { limit });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ errors: [{ pointer: '/query/limit' }] });
  });

  it('[GEN-02] answers 500 with Retry-After while something behind it is away', async () => {
    await recordCodes('C0');
    at.shipments.failWith('state_not_ready');
    const store = await at.ask('notifications', 'RST1');
    at.shipments.failWith();
    at.history.failWith('sink_unavailable');
    const history = await at.ask('notifications', 'RST1');
    for (const response of [store, history]) {
      expect(response.status).toBe(500);
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]/);
    }
    expect((await problemOf(history)).code).toBe('sink_unavailable');
  });

  it('knows a number by its characters and not by the blanks around it', async () => {
    await recordCodes('C0');
    const response = await at.ask('notifications', ' RST1 ');
    expect(await response.json()).toMatchObject({
      tracking_number: 'RST1', notifications: [{ code: 'C0' }],
    });
  });
});
