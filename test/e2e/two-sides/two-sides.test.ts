import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartyExamination } from '../../../schemas/generated/types.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import { aNotification } from '../../support/notifications.ts';
import { eventually, type TestClient, type TestEnv } from '../../support/platform.ts';
import { startTwoSides, type TwoSides } from '../../support/two-sides.ts';

const SHIPMENTS = 12;
const CODES = ['EX-CREATED', 'EX-COLLECTED', 'EX-HUB', 'EX-ON-ROUTE', 'EX-DELIVERED'];
const PUSH = '/shipping/tracking/notifications';

interface Entry { readonly code: string; readonly outcome: string }

let sides: TwoSides;
/** Tracking number of each shipment that was authorized, in their order. */
const numbers: string[] = [];
const requests = Array.from({ length: SHIPMENTS }, (_, i) => aRequest({ id: 41_000_000 + i }));

beforeAll(async () => { sides = await startTwoSides(); }, 240_000);
afterAll(() => sides.close());

/** The journey of a shipment as one side has it, without what came again. */
async function journey(
  side: TestEnv, client: TestClient, number: string,
): Promise<readonly Entry[]> {
  const { status, body } = await side.call(
    `/shipping/tracking/shipments/${encodeURIComponent(number)}/journey?limit=100`,
    { method: 'GET', token: await side.token(client, 'tracking-pull') },
  );
  if (status !== 200) return [];
  return (body['entries'] as readonly Entry[])
    .filter(({ outcome }) => outcome !== 'duplicate')
    .map(({ code, outcome }) => ({ code, outcome }));
}

/** Pushes as a carrier does: the same call again until it is accepted. */
async function push(number: string, code: string, at: number): Promise<void> {
  const token = await sides.carrier.token(sides.pusher, 'logistic-feed');
  const date = new Date(1_790_000_000_000 + at * 60_000).toISOString();
  const body = { ...aNotification(code, { date }), tracking_number: number };
  await eventually(`The push of ${code}`, async () => {
    const reply = await sides.carrier.call(PUSH, { token, body }, 1).catch(() => undefined);
    if (reply !== undefined && reply.status < 429 && reply.status !== 202) {
      throw new Error(`${reply.status} ${reply.text}`);
    }
    return reply?.status === 202;
  });
}

/** Whether every accepted item of a side has a known outcome. */
async function isBalanced({ query }: TestEnv): Promise<boolean> {
  const [row] = await query<{ accepted: string; unexplained: string }>(
    `SELECT toString(sum(accepted)) AS accepted, toString(sum(unexplained)) AS unexplained
     FROM v_ingest_balance(since = now64(3) - INTERVAL 1 DAY, until = now64(3) + INTERVAL 1 DAY)
     WHERE kind = 'notifications'`,
  );
  return Number(row?.accepted) >= SHIPMENTS * CODES.length && row?.unexplained === '0';
}

// One story of a platform and a carrier: every test goes on where the one before it ended.
describe('a platform and a carrier, each with a Rastro of its own', () => {
  it('[PULL-11] authorizes shipments, though the platform loses the process that asks', async () => {
    await Promise.all(requests.slice(0, SHIPMENTS / 2).map((each) => sides.authorize(each)));
    await sides.platform.parties?.kill();
    await Promise.all(requests.slice(SHIPMENTS / 2).map((each) => sides.authorize(each)));
    const authorized = (side: TestEnv): Promise<readonly { id: string; number: string }[]> =>
      side.query(`SELECT shipment_id AS id, any(tracking_number) AS number FROM v_authorizations
                  GROUP BY id HAVING uniqExact(tracking_number) = 1 ORDER BY id`);
    await eventually('All authorizations', async () =>
      (await authorized(sides.carrier)).length === SHIPMENTS);
    numbers.push(...(await authorized(sides.carrier)).map(({ number }) => number));
    expect(new Set(numbers).size).toBe(SHIPMENTS);
  }, 120_000);

  it('[PULL-11] has the same journey on both sides, though each loses processes', async () => {
    const kills = [
      () => sides.carrier.projectors.kill(), () => sides.platform.parties?.kill(),
      () => sides.platform.projectors.kill(), () => sides.carrier.gateways[1].kill(),
    ];
    for (const [i, code] of CODES.entries()) {
      const pushing = Promise.all(numbers.map((number) => push(number, code, i)));
      await kills[i]?.();
      await pushing;
    }
    expect(numbers).toHaveLength(SHIPMENTS);
    const whole = CODES.map((code) => ({ code, outcome: 'applied' }));
    for (const number of numbers) {
      await eventually(`The journey of ${number} at the carrier`, async () =>
        (await journey(sides.carrier, sides.pusher, number)).length === CODES.length);
      expect(await journey(sides.carrier, sides.pusher, number)).toEqual(whole);
      await eventually(`The journey of ${number} at the platform`, async () =>
        (await journey(sides.platform, sides.reader, number)).length === CODES.length);
      expect(await journey(sides.platform, sides.reader, number)).toEqual(whole);
      expect(await journey(sides.carrier, sides.asker, number)).toEqual(whole);
    }
  }, 240_000);

  it('accounts on both sides for every notification, none lost and none twice', async () => {
    for (const side of [sides.carrier, sides.platform]) {
      await eventually('The balance of a side', () => isBalanced(side));
      const [row] = await side.query<{ applied: string; keys: string }>(
        `SELECT toString(countIf(outcome = 'applied')) AS applied,
                toString(uniqExactIf((tracking_number, code), outcome = 'applied')) AS keys
         FROM v_journeys`);
      const all = String(SHIPMENTS * CODES.length);
      expect(row).toEqual({ applied: all, keys: all });
    }
  }, 120_000);

  it('shows a shipment to its two parties and to no other client', async () => {
    const stranger = await sides.platform.addClient(
      '--audience', 'tracking-pull', '--scope', 'tracking:read,query:read',
    );
    const token = await sides.platform.token(stranger, 'tracking-pull');
    const path = `/shipping/tracking/shipments/${encodeURIComponent(numbers[0] ?? '')}`;
    for (const what of ['journey', 'notifications']) {
      const { status } = await sides.platform.call(`${path}/${what}`, { method: 'GET', token });
      expect(status).toBe(404);
    }
  });

  it('cancels at the carrier, and another authorization has another number', async () => {
    const [{ id, transport_order_id }] = requests as [(typeof requests)[number]];
    const token = await sides.carrier.token(sides.asker, 'authorizations');
    const cancelled = await sides.carrier.call(`/shipments/${id}/cancellation`, {
      token, body: { id, transport_order_id },
    });
    expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'CANCELLED']);
    const again = await sides.carrier.call(`/shipments/${id}/authorization`, {
      token, body: requests[0],
    });
    expect(again.status).toBe(200);
    expect(numbers).not.toContain(again.body['tracking_number']);
  });

  it('has the address of the carrier examined when it asks, through processes of the platform', async () => {
    const { platform, examined, asker } = sides;
    const token = await platform.token(examined, 'logistic-feed');
    const list = '/shipping/tracking/examinations';
    const show = async (): Promise<PartyExamination | undefined> => {
      const { body } = await platform.call(list, { method: 'GET', token });
      return (body['parties'] as readonly PartyExamination[])[0];
    };
    await eventually('The party of the client', async () => await show() !== undefined);
    const { party_id = '' } = await show() ?? {};
    expect((await platform.call(`${list}/${party_id}`, { token })).status).toBe(202);
    expect((await platform.call(`${list}/${party_id}`, { token })).status).toBe(429);
    await eventually('The end of the examination', async () => (
      (await show())?.examination?.status === 'ended'));
    const { examination } = await show() ?? {};
    expect(examination?.stopped).toBeUndefined();
    const failed = examination?.checks.filter(({ id, outcome }) => (
      // It measures time, which other tests take from it.
      outcome === 'failed' && id !== 'authorized-in-time'));
    expect(failed).toEqual([]);
    expect(examination?.passed).toBeGreaterThan(15);
    expect(JSON.stringify(examination)).not.toContain(asker.client_secret);
  }, 200_000);
});
