import { beforeEach, describe, expect, it } from 'vitest';
import { isTrackingNumber } from '../../../services/domain/authorization/tracking-number.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import { shipmentSubject } from '../../../services/kernel/personal.ts';
import { aRequest, placed } from '../../support/authorization-facts.ts';
import { openCarrier, without, type CarrierInTest } from './authorizations.ts';

const TOPIC = 'shipment.authorizations.v1';
const CARRIER = '100000000000077';

type Fact = ShipmentAuthorized & { readonly request: AuthorizationRequest };

let carrier: CarrierInTest;
beforeEach(() => { carrier = openCarrier({ carrierClientId: CARRIER }); });

const facts = () => carrier.log.of(TOPIC).map(({ value }) => {
  const fact = value as ShipmentAuthorized;
  return carrier.opened(shipmentSubject(fact.tracking_number), fact) as Fact;
});
const numberIn = (answer: { body: Readonly<Record<string, unknown>> }) =>
  String(answer.body['tracking_number']);

describe('authorizing a shipment', () => {
  it('[AUTH-01] [AUTH-02] answers 200 with a tracking number, a date and custom data', async () => {
    const { status, body } = await carrier.authorize(aRequest());
    expect(status).toBe(200);
    expect(body).toEqual({
      id: '41234567890', status: 'AUTHORIZED', status_message: expect.any(String),
      tracking_number: expect.stringMatching(/^RS[0-9A-Z]{21}$/),
      authorization_information: {
        date: '2025-11-24T16:00:00.000Z', custom_data: expect.any(Object),
      },
    });
    expect(isTrackingNumber(String(body['tracking_number']))).toBe(true);
  });

  it('[AUTH-03] takes the id as number or text and gives it back as text', async () => {
    for (const id of [123, '123', 'ABC-1', 9_007_199_254_740_991]) {
      expect((await carrier.authorize(aRequest({ id }))).body['id']).toBe(String(id));
    }
  });

  it('[AUTH-04] gives a repeat the same answer, byte for byte, and appends once', async () => {
    const request = aRequest();
    const first = await carrier.authorize(request);
    carrier.pass(86_400_000);
    const second = await carrier.authorize(request);
    expect(second.status).toBe(200);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(facts()).toHaveLength(1);
  });

  it('[AUTH-05] gives one number to many calls at the same moment', async () => {
    const request = aRequest();
    carrier.log.hold();
    const calls = Array.from({ length: 20 }, () => carrier.authorize(request));
    // The losers wait in turns of the event loop, not in time.
    while (carrier.log.held() === 0) await new Promise(setImmediate);
    carrier.log.release();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(facts()).toHaveLength(1);
  });

  it('[AUTH-06] depends on the transport order: a repeat with other content keeps it', async () => {
    const request = aRequest();
    const first = numberIn(await carrier.authorize(request));
    const others = [
      { ...request, keyword: 'x' }, { ...request, direction: 'return' }, { ...request, id: 7 },
      without(request, 'shipment_information'), { ...request, test: true },
    ];
    for (const other of others) {
      const answer = await carrier.authorize(other);
      expect(numberIn(answer)).toBe(first);
      expect(answer.body['id']).toBe(String((other as { id: unknown }).id));
    }
  });

  it('[AUTH-56] makes numbers with a key: the order alone does not say its number',
    async () => {
      const number = numberIn(await carrier.authorize(aRequest({ transport_order_id: 'known' })));
      const other = openCarrier();
      other.rekey('another');
      const again = await other.authorize(aRequest({ transport_order_id: 'known' }));
      expect(numberIn(again)).not.toBe(number);
      expect([number, numberIn(again)].map(isTrackingNumber)).toEqual([true, true]);
    });

  it('[AUTH-56] keeps numbers that were given, and that are being given, when the key changes',
    async () => {
      const request = aRequest();
      const given = await carrier.authorize(request);
      const begun = aRequest();
      carrier.log.failWith('log_timeout', 1);
      await expect(carrier.authorize(begun)).rejects.toMatchObject({ code: 'log_timeout' });
      const [claimed] = carrier.fake.claimedNumbers();
      carrier.rekey('second');
      carrier.pass(11_000);
      expect((await carrier.authorize(request)).body).toEqual(given.body);
      expect(numberIn(await carrier.authorize(begun))).toBe(claimed);
    });

  it('[AUTH-07] gives different orders, and those of different clients, different numbers', async () => {
    const requests = Array.from({ length: 50 }, () => aRequest());
    const own = await Promise.all(requests.map((request) => carrier.authorize(request)));
    const foreign = await Promise.all(
      requests.map((request) => carrier.authorize(request, { clientId: '100000000000002' })),
    );
    expect(new Set([...own, ...foreign].map(numberIn)).size).toBe(100);
  });

  it('[AUTH-08] gives a refused request no number, and authorizes the corrected one', async () => {
    const request = aRequest();
    const refused = await carrier.authorize(without(request, 'shipment_information.receiver'));
    expect(refused.body).not.toHaveProperty('tracking_number');
    expect(facts()).toEqual([]);
    expect((await carrier.authorize(request)).status).toBe(200);
  });

  it('[AUTH-12] keeps a keyword and marks that the secret word is asked for', async () => {
    for (const keyword of ['9f86d081884c7d65', '', undefined]) {
      const request = aRequest(keyword === undefined ? {} : { keyword });
      expect((await carrier.authorize(request)).status).toBe(200);
      const fact = facts().at(-1);
      expect(fact?.asks_secret_word).toBe(Boolean(keyword));
      expect(fact?.request.keyword).toBe(keyword);
    }
  });

  it('[AUTH-14] [AUTH-21] [AUTH-25] [AUTH-34] [AUTH-36] keeps what was sent', async () => {
    const location_metadata = {
      location_id: 'l', has_reception: true, types: ['residence'], name: 'n', source: 's',
      timetable: { monday: ['8-18'] }, external_data: { external_id: 'e', phone: '1' },
      is_present: false,
    };
    const schedule = { from: '2026-01-05T08:00:00Z', to: '2026-01-05T12:00:00+03' };
    const request = aRequest({
      carrier_information: { contract: 'home', agency: { id: 'AG-1' } },
      requirements: {
        special_treatments: ['groupable', 'something_new'],
        pickup: { schedule, location_metadata },
        delivery: {
          schedule, location_metadata, affinity_group: 'g', delivery_strategy: 'joint_delivery',
        },
      },
    });
    const sender = request.shipment_information?.sender;
    Object.assign(sender ?? {}, { identification: { type: 'CPF', number: '1' }, nickname: 'new' });
    Object.assign(sender?.address ?? {}, {
      street_name: 's', street_number: '1', intersection: 'i', comment: 'c', neighborhood: {},
      municipality: {}, facility_id: 'f',
    });
    expect((await carrier.authorize(request)).status).toBe(200);
    expect(facts()[0]?.request).toEqual(request);
  });

  it('[AUTH-28] keeps the eight decimals of coordinates, and every amount, exactly', async () => {
    const texts = ['-23.55052012', '-179.99999999', '0.00000001', '89.12345678', '1.00000001'];
    for (const text of texts) {
      const request = aRequest();
      const geolocation = request.shipment_information?.receiver.address.geolocation;
      Object.assign(geolocation ?? {}, {
        latitude: Number(text) / (Math.abs(Number(text)) > 90 ? 10 : 1), longitude: Number(text),
      });
      Object.assign(request.shipment_information?.package ?? {}, { amount: 1_234_567.89 });
      await carrier.authorize(request);
      const written = Buffer.from(carrier.log.of(TOPIC).at(-1)?.bytes ?? []).toString();
      const kept = facts().at(-1)?.request.shipment_information;
      expect(kept?.receiver.address.geolocation?.longitude.toFixed(8)).toBe(text);
      expect(written).toContain('"amount":1234567.89');
    }
  });

  it('[AUTH-37] cuts texts for storage instead of refusing them', async () => {
    const request = aRequest({ keyword: 'k'.repeat(9_000) });
    const receiver = request.shipment_information?.receiver;
    Object.assign(receiver ?? {}, { full_name: `${'x'.repeat(254)}\u{1F4E6}${'y'.repeat(9_000)}` });
    Object.assign(receiver?.address ?? {}, { comment: 'c'.repeat(9_000) });
    const { status } = await carrier.authorize(request);
    expect(status).toBe(200);
    const kept = facts()[0]?.request;
    expect(kept?.keyword).toBe('k'.repeat(255));
    expect(kept?.shipment_information?.receiver.full_name).toBe('x'.repeat(254));
    expect(kept?.shipment_information?.receiver.address.comment).toBe('c'.repeat(2_048));
  });

  it('[AUTH-52] gives a test request a number that begins with TEST, and no other', async () => {
    const number = numberIn(await carrier.authorize(aRequest({ test: true })));
    expect(number).toMatch(/^TEST[0-9A-Z]{21}$/);
    expect(isTrackingNumber(number)).toBe(true);
    expect(facts()[0]?.test).toBe(true);
    expect(numberIn(await carrier.authorize(aRequest({ test: false })))).not.toMatch(/^TEST/);
  });

  it('[AUTH-53] needs an agency only for a contract that is set so', async () => {
    carrier = openCarrier({ contractsRequiringAgency: ['pickup'] });
    const request = (carrier_information: object) => aRequest({ carrier_information });
    const refused = await carrier.authorize(request({ contract: 'pickup', agency: {} }));
    expect(refused).toMatchObject({
      status: 400, body: { error_code: 'invalid_carrier_information.agency', status: 'FAILED' },
    });
    expect(facts().at(-1)?.type).toBe('AuthorizationRefused');
    const good = request({ contract: 'pickup', agency: { id: 'A' } });
    expect((await carrier.authorize(good)).status).toBe(200);
    expect((await carrier.authorize(without(good, 'carrier_information'))).status).toBe(200);
    expect((await carrier.authorize(request({ contract: 'home' }))).status).toBe(200);
    expect((await carrier.authorize(request({}))).status).toBe(200);
  });

  it('binds the number to the client of the carrier before it answers', async () => {
    const number = numberIn(await carrier.authorize(aRequest()));
    expect(carrier.fake.carriers().get(number)).toBe(CARRIER);
    expect(facts()[0]?.carrier_client_id).toBe(CARRIER);
  });
});

describe('authorizing while parts fail', () => {
  it('[AUTH-40] fails as a fault and gives no number when the log or the store is down', async () => {
    carrier.log.failWith('log_unavailable', 1);
    await expect(carrier.authorize(aRequest())).rejects.toMatchObject({ code: 'log_unavailable' });
    carrier.fake.failWith('state_unavailable');
    await expect(carrier.authorize(aRequest())).rejects.toMatchObject({
      code: 'state_unavailable',
    });
  });

  it('[AUTH-04] gives the same answer after a crash between log and answer', async () => {
    const request = aRequest();
    carrier.log.loseAnswers(1);
    await expect(carrier.authorize(request)).rejects.toMatchObject({ code: 'log_timeout' });
    await expect(carrier.authorize(request)).rejects.toMatchObject({ code: 'state_busy' });
    carrier.pass(20_000);
    const answer = await carrier.authorize(request);
    const [first, second] = facts();
    expect(JSON.stringify(second?.answer)).toBe(JSON.stringify(first?.answer));
    expect(answer.body).toEqual(first?.answer);
    await carrier.fake.authorizations.apply(placed(facts()));
    expect((await carrier.authorize(request)).body).toEqual(first?.answer);
  });

  it('[AUTH-52] stays a test when another caller finishes it', async () => {
    const request = aRequest({ test: true });
    carrier.log.loseAnswers(1);
    await expect(carrier.authorize(request)).rejects.toMatchObject({ code: 'log_timeout' });
    carrier.pass(20_000);
    const answer = await carrier.authorize({ ...request, test: false });
    expect(numberIn(answer)).toBe(facts()[0]?.tracking_number);
  });

  it('lets the next caller in at once after the log certainly refused', async () => {
    const request = aRequest();
    carrier.log.failWith('log_unavailable', 1);
    await expect(carrier.authorize(request)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect((await carrier.authorize(request)).status).toBe(200);
  });
});
