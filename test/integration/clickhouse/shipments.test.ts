import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageReference } from '../../../services/kernel/images.ts';
import { trackingNumberOf } from '../../../services/domain/authorization/tracking-number.ts';
import { anAuthorization } from '../../support/authorization-facts.ts';
import { recordJourneys, received } from '../../support/journeys.ts';
import { createHistory, record, writePosts, type History } from './history.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';
import { sha256 } from '../../support/state-facts.ts';

const VIEWS = ['v_notifications', 'v_journeys', 'v_shipment_last'];
const AT_MS = 1_764_000_000_000;
let history: History;
let made = 0;
const fresh = (): string => `RST-${made += 1}`;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

interface Sent {
  readonly payload?: object;
  readonly topic_id?: string;
  readonly atMs?: number;
  readonly image?: ImageReference;
}

/** Lets a notification and its outcome be written as they come from the log. */
async function notify(tracking_number: string, offset: number, sent: Sent = {}): Promise<void> {
  const recordId = { topic_id: sent.topic_id ?? 'topic-1', partition: 3, offset };
  const received_at_ms = sent.atMs ?? AT_MS + offset;
  const text = JSON.stringify({
    tracking_number, code: 'EX-HUB', carrier_code: 'H',
    payload: sent.payload ?? { date: '2026-11-20T10:15:00-03:00' },
  });
  await writeLines(history.ingest, 'in_notifications', [
    notificationRecord(tracking_number, { recordId, text, image: sent.image, received_at_ms }),
  ]);
  const { events } = recordJourneys([received(offset, 'EX-HUB', offset, {
    tracking_number, notification: recordId, received_at_ms, carrier_code: `H${offset}`,
  })]);
  await writeLines(
    history.ingest, 'in_journeys', events.map((event) => journeyRecord(event, made += 1)),
  );
}

const seen = (view: string, number: string) => history.analyst.query(
  `SELECT * FROM ${view} WHERE tracking_number = {number:String} ORDER BY ALL`, { number },
);

/** Writes an authorization of a tracking number, as a test or not. */
async function authorize(tracking_number: string, test: boolean): Promise<void> {
  const fact = anAuthorization(`order-${made += 1}`, 1, { tracking_number, test });
  expect(await writePosts(history.ingest, [
    record('shipment.authorizations.v1', fact.transport_order_id, fact),
  ])).toEqual([]);
}

describe('notifications for analysts', () => {
  it('show nothing of a person, wherever it was written', async () => {
    const number = fresh();
    const driver = { id: 'SECRET', name: 'SECRET', document: { number: 'SECRET' } };
    await notify(number, 1, {
      image: { sha256: 'a'.repeat(64), bytes: 5, media_type: 'image/png', object: 'SECRET' },
      payload: {
        date: '2026-11-20T10:15:00-03:00', comment: 'SECRET', driver, unknown: 'SECRET',
        vehicle: { reference_type: 'license_plate', reference: 'SECRET' },
        agency: { phone_number: 'SECRET' }, redispatch: { tracking_url: 'SECRET' },
        location: {
          country_id: 'BR', zip_code: 'SECRET', neighborhood_name: 'SECRET', facility: 'Hub 7',
          geolocation: { latitude: -23.5, longitude: -46.6 },
        },
        proof_of_delivery: {
          receiver_document: { type: 'CPF', number: 'SECRET' }, receiver_name: 'SECRET',
          receiver_last_name: 'SECRET', receiver_relationship: 'SECRET',
        },
      },
    });
    const rows = (await Promise.all(VIEWS.map((view) => seen(view, number)))).flat();
    expect(rows).toMatchObject([
      { country_id: 'BR', facility: 'Hub 7', has_image: true }, {}, {},
    ]);
    const kept = await history.admin.query(
      'SELECT * FROM shipment_notifications WHERE tracking_number = {number:String}', { number },
    );
    expect(JSON.stringify([rows, kept])).not.toContain('SECRET');
    expect(JSON.stringify(rows)).not.toContain('-23.5');
  });

  it('[NOT-46] name the kind of a proof of delivery, and why it is unknown', async () => {
    const number = fresh();
    const kept = { sha256: 'a'.repeat(64), bytes: 5, object: 'x' };
    await notify(number, 1, { image: { ...kept, media_type: 'image/webp' } });
    await notify(number, 2, { image: { ...kept, media_type: 'unknown', flag: 'not_base64' } });
    await notify(number, 3);
    expect(await history.analyst.query(
      `SELECT image_type, image_flag FROM v_notifications
       WHERE tracking_number = {number:String} ORDER BY k_offset`, { number },
    )).toEqual([
      { image_type: 'image/webp', image_flag: '' },
      { image_type: 'unknown', image_flag: 'not_base64' },
      { image_type: '', image_flag: '' },
    ]);
  });

  it('leave out what is absent, and keep every form of an instant as one', async () => {
    const number = fresh();
    await notify(number, 1);
    await notify(number, 2, {
      payload: {
        date: '2026-11-20t13:15:00.0000000z', estimated_pickup_date: '2026-11-21T09:00:00-03',
        estimated_delivery_date: '2026-11-23T12:00:00.250-0300', cost: 1.5, agency_id: 'AG',
        dimensions: { weight: 0 }, reason: 'arriving',
      },
    });
    expect(await history.analyst.query(
      `SELECT * FROM v_notifications WHERE tracking_number = {number:String} ORDER BY k_offset`,
      { number },
    )).toMatchObject([
      {
        occurred_at: '2026-11-20 13:15:00.000', reason: '', country_id: '', city: '', cost: null,
        weight: null, estimated_pickup_date: null, estimated_delivery_date: null, agency_id: '',
        has_image: false, topic_id: 'topic-1', k_partition: 3, k_offset: '1',
      },
      {
        occurred_at: '2026-11-20 13:15:00.000', reason: 'arriving', cost: 1.5, weight: 0,
        estimated_pickup_date: '2026-11-21 12:00:00.000', agency_id: 'AG',
        estimated_delivery_date: '2026-11-23 15:00:00.250',
      },
    ]);
  });

  it('[AUTH-52] leave out shipments that were authorized as a test, before or after', async () => {
    const [early, late, real] = [fresh(), fresh(), fresh()];
    await authorize(early, true);
    await authorize(real, false);
    for (const number of [early, late, real]) await notify(number, 1);
    expect(await seen('v_notifications', late)).toHaveLength(1);
    await authorize(late, true);
    for (const view of VIEWS) {
      expect(await seen(view, early), view).toEqual([]);
      expect(await seen(view, late), view).toEqual([]);
      expect(await seen(view, real), view).toHaveLength(1);
    }
  });

  it('[AUTH-52] leave out the numbers that this platform gives to tests, and no like ones', async () => {
    const origin = {
      carrierClientId: '', clientId: '100000000000001', transportOrderId: 'T1', epoch: 1,
    };
    const given = trackingNumberOf(sha256, { ...origin, test: true });
    const others = [
      trackingNumberOf(sha256, { ...origin, test: false }), 'TEST1', `${given}0`, `x${given}`,
    ];
    for (const number of [given, ...others]) await notify(number, 1);
    for (const view of VIEWS) {
      expect(await seen(view, given), view).toEqual([]);
      for (const number of others) expect(await seen(view, number), number).toHaveLength(1);
    }
  });

  it('say where a shipment stands by recorded order, not by the time of receipt', async () => {
    const number = fresh();
    // Two gateways whose clocks differ: the later record carries the earlier time.
    await notify(number, 1, { topic_id: `z-${number}`, atMs: AT_MS + 9 });
    await notify(number, 2, { topic_id: `z-${number}`, atMs: AT_MS + 1 });
    expect(await seen('v_shipment_last', number)).toMatchObject([{ carrier_code: 'H2' }]);
    // A recreated topic begins at offset 0 and comes after.
    await notify(number, 0, { topic_id: `a-${number}`, atMs: AT_MS + 20 });
    expect(await seen('v_shipment_last', number)).toMatchObject([{
      carrier_code: 'H0', notifications: '3', first_received_at: '2025-11-24 16:00:00.001',
      last_received_at: '2025-11-24 16:00:00.020',
    }]);
  });
});

it('describes every column that an analyst sees', async () => {
  const silent = await history.admin.query(
    `SELECT table, name FROM system.columns
     WHERE database = {database:String} AND table LIKE 'v\\_%' AND comment = ''`,
    { database: history.database },
  );
  expect(silent).toEqual([]);
});
