import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problemOf } from '../../support/edge.ts';
import { aNotification, without } from '../../support/notifications.ts';
import { PNG_BASE64 } from '../../support/pictures.ts';
import { openPushEdge, type PushEdge } from '../../support/push-edge.ts';

describe('The fields of a notification', () => {
  let at: PushEdge;
  beforeAll(async () => { at = await openPushEdge(); });
  afterAll(() => at.edge.close());
  beforeEach(() => at.reset());

  async function expectFaults(body: unknown, pointers: readonly string[]): Promise<void> {
    expect(await at.faultsOf(body)).toEqual(pointers);
    expect(at.log.appended).toEqual([]);
  }

  it.each(['tracking_number', 'code', 'carrier_code', 'payload'])(
    '[NOT-04] refuses a notification without %s', async (name) => {
      const { [name]: _, ...rest } = aNotification() as unknown as Record<string, unknown>;
      await expectFaults(rest, [`/${name}`]);
    },
  );

  it('[NOT-05] refuses a notification without payload.date', async () => {
    await expectFaults(without(aNotification(), 'date'), ['/payload/date']);
  });

  it.each(['date', 'estimated_delivery_date', 'estimated_pickup_date'])(
    '[NOT-06] takes %s in UTC and with offset and in no other form', async (name) => {
      for (const text of [
        '2026-11-20T10:15:00Z', '2026-11-20T10:15:00.25+0530', '2026-11-20T10:15:00-03',
      ]) expect((await at.push(aNotification('EX-HUB', { [name]: text }))).status).toBe(202);
      at.reset();
      for (const value of ['2026-11-20', '2026-11-20T10:15:00', '20/11/2026', 1764000000]) {
        await expectFaults(aNotification('EX-HUB', { [name]: value }), [`/payload/${name}`]);
      }
    },
  );

  it.each([
    ['[NOT-08]', '0114', 'reason'], ['[NOT-08]', 'CBT-0272', 'reason'],
    ['[NOT-09]', 'CBT-0283', 'declaration_number'],
    ['[NOT-10]', 'CBT-0201', 'agency_id'], ['[NOT-10]', 'CBT-0215', 'agency_id'],
    ['[NOT-13]', 'CBT-0260', 'cost'], ['[NOT-13]', 'CBT-0265', 'cost'],
    ['[NOT-14]', 'CBT-9999', 'location'], ['[NOT-14]', 'CBT-0201', 'location/country_id'],
    ['[NOT-18]', 'CBT-0260', 'dimensions'], ['[NOT-18]', 'CBT-0260', 'dimensions/weight'],
    ['[NOT-20]', 'CBT-0265', 'estimated_delivery_date'],
    ['[NOT-21]', 'CBT-0265', 'estimated_pickup_date'],
    ['[NOT-21]', 'CBT-0133', 'estimated_pickup_date'],
    ['[NOT-25]', '0133', 'driver'], ['[NOT-25]', '0133', 'driver/id'],
    ['[NOT-25]', '0133', 'driver/name'],
    ['[NOT-26]', 'CBT-0272', 'consolidated_packages'],
    ['[NOT-26]', 'CBT-0272', 'consolidated_packages/consolidation_id'],
    ['[NOT-26]', 'CBT-0272', 'consolidated_packages/tracking_number'],
    ['[NOT-26]', 'CBT-0272', 'consolidated_packages/shipments'],
    ['[NOT-27]', 'CBT-0270', 'details'],
    ['[NOT-27]', 'CBT-0270', 'details/transport/content/restricted_item_type'],
  ])('%s takes code %s and refuses it without %s', async (_row, code, path) => {
    expect((await at.push(aNotification(code))).status).toBe(202);
    at.reset();
    await expectFaults(without(aNotification(code), path), [`/payload/${path}`]);
  });

  it('[NOT-08] [NOT-09] [NOT-10] [NOT-13] [NOT-15] [NOT-25] asks for nothing else', async () => {
    for (const code of ['EX-HUB', '0999', 'cbt-1', 'XCBT-0272']) {
      expect((await at.push(aNotification(code))).status).toBe(202);
    }
    const place = { location: { city_name: 'X' } };
    expect((await at.push(aNotification('EX-HUB', place))).status).toBe(202);
    expect((await at.push(aNotification('CBT-0133'))).status).toBe(202);
  });

  it('[NOT-27] knows four kinds of restricted items', async () => {
    const details = (type: string) => (
      { details: { transport: { content: { restricted_item_type: type } } } }
    );
    for (const type of ['CREAM', 'LIQUID', 'POWDER', 'BATTERY']) {
      expect((await at.push(aNotification('CBT-0270', details(type)))).status).toBe(202);
    }
    at.reset();
    await expectFaults(aNotification('CBT-0270', details('cream')), [
      '/payload/details/transport/content/restricted_item_type',
    ]);
  });

  it('[NOT-11] [NOT-12] takes phones of a plus and up to fifteen digits and no other', async () => {
    const agency = (phone_number: unknown) => aNotification('CBT-0215', { agency: { phone_number } });
    const driver = (phone: unknown) => aNotification('EX-HUB', { driver: { phone } });
    for (const phone of ['+1', '+123456789012345']) {
      expect((await at.push([agency(phone), driver(phone)])).status).toBe(202);
    }
    expect(at.recorded()[0]?.notification.payload).toMatchObject({ agency: { phone_number: '+1' } });
    at.reset();
    for (const phone of ['+1234567890123456', '5511999', '+55 11', '+', '+55a', 55]) {
      await expectFaults([agency(phone), driver(phone)], [
        '/0/payload/agency/phone_number', '/1/payload/driver/phone',
      ]);
    }
  });

  it('[NOT-16] refuses a country id that has not the form of one', async () => {
    for (const country_id of ['BR', 'br', 'BRA', 'bra']) {
      expect((await at.push(aNotification('CBT-0201', { location: { country_id } }))).status)
        .toBe(202);
    }
    expect(at.recordedTexts().at(-1)).toContain('"country_id":"bra"');
    at.reset();
    for (const country_id of ['BRAZ', 'B', 'B1', '', 76]) {
      await expectFaults(
        aNotification('CBT-0201', { location: { country_id } }), ['/payload/location/country_id'],
      );
    }
  });

  it('[NOT-17] [NOT-18] [NOT-19] [NOT-23] stores every optional field as it was sent', async () => {
    const sent = aNotification('EX-HUB', {
      comment: 'ok', flight: { awb: '957-1' },
      redispatch: { tracking_number: 'R', carrier_id: 88, tracking_url: 'https://example.com' },
      vehicle: { reference_type: 'plate', reference: 'ABC' },
      dimensions: { height: 1, width: 2.5, length: 3, weight: 4 },
      location: {
        zip_code: '1', country_id: 'BR', state_name: 's', city_name: 'c', neighborhood_name: 'n',
        facility: 'f', geolocation: { geolocation_type: 'X', latitude: -23.5, longitude: -46.6 },
      },
      proof_of_delivery: {
        receiver_document: { type: 'CPF', number: '1' }, receiver_last_name: 'l',
        receiver_name: 'n', receiver_relationship: 'neighbor',
      },
      driver: { email: 'e', phone: '+1', license_plate: 'p' },
      unknown_field: { kept: true },
    });
    expect((await at.push(sent)).status).toBe(202);
    expect(at.recorded()[0]?.notification).toEqual(sent);
  });

  it('[NOT-22] asks for the document of the receiver in every proof of delivery', async () => {
    const proof = (proof_of_delivery: unknown) => aNotification('EX-HUB', { proof_of_delivery });
    const place = '/payload/proof_of_delivery/receiver_document';
    await expectFaults(proof({}), [place]);
    await expectFaults(proof({ receiver_document: { number: '1' } }), [`${place}/type`]);
    await expectFaults(proof({ receiver_document: { type: 'CPF' } }), [`${place}/number`]);
  });

  const withImage = (image: unknown) => aNotification('EX-HUB', {
    proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' }, image },
  });

  it('[NOT-23] [NOT-24] cuts the image out, keeps it apart and refers to it', async () => {
    expect((await at.push(withImage(PNG_BASE64))).status).toBe(202);
    const [record] = at.recorded();
    expect(record?.image).toMatchObject({ media_type: 'image/png', bytes: 70 });
    expect(JSON.stringify(record)).not.toContain(PNG_BASE64);
    expect(record?.notification).toEqual(without(withImage(''), 'proof_of_delivery/image'));
    expect(at.kept).toEqual(['RST1']);
  });

  it('[NOT-46] takes an image of any kind, flags what it does not know, and refuses none', async () => {
    const texts = ['not base64!', 'aGVsbG8=', `data:image/png;base64,${PNG_BASE64}`];
    expect((await at.push(texts.map(withImage))).status).toBe(202);
    expect(at.recorded().map(({ image }) => [image?.['media_type'], image?.['flag']])).toEqual([
      ['unknown', 'not_base64'], ['unknown', 'unknown_type'], ['image/png', undefined],
    ]);
    expect(JSON.stringify(at.recorded())).not.toContain('not base64');
  });

  it('[NOT-46] takes an empty image for none', async () => {
    expect((await at.push(withImage(''))).status).toBe(202);
    expect(at.recorded()[0]).not.toHaveProperty('image');
    expect(at.kept).toEqual([]);
  });

  it('answers 500 while images cannot be kept, and nothing is in the log', async () => {
    at.imagesFail = true;
    const response = await at.push(withImage(PNG_BASE64));
    expect([response.status, (await problemOf(response)).code])
      .toEqual([500, 'images_unavailable']);
    expect(at.log.appended).toEqual([]);
  });

  it('[NOT-28] takes any text up to 64 characters where values are not published', async () => {
    const fields = (text: string) => aNotification('EX-HUB', {
      reason: text, location: { geolocation: { geolocation_type: text } },
      proof_of_delivery: {
        receiver_document: { type: text, number: '1' }, receiver_relationship: text,
      },
      vehicle: { reference_type: text },
    });
    expect((await at.push(fields('ü'.repeat(64)))).status).toBe(202);
    at.reset();
    await expectFaults(fields('x'.repeat(65)), [
      '/payload/reason', '/payload/location/geolocation/geolocation_type',
      '/payload/proof_of_delivery/receiver_document/type',
      '/payload/proof_of_delivery/receiver_relationship', '/payload/vehicle/reference_type',
    ]);
  });

  it('[NOT-29] stores decimals with the digits they were written with', async () => {
    const text = JSON.stringify(aNotification('CBT-0260', {
      location: { country_id: 'BR', geolocation: { latitude: 'LAT', longitude: 'LON' } },
      redispatch: { carrier_id: 'CARRIER' },
    })).replace('12.5', '1234567890.12345678901234567890').replace('1500', '1500.10')
      .replace('"LAT"', '-23.550520000000000001').replace('"LON"', '4.66e1')
      .replace('"CARRIER"', '88.0');
    expect((await at.push(text)).status).toBe(202);
    for (const digits of [
      '"cost":1234567890.12345678901234567890', '"weight":1500.10',
      '"latitude":-23.550520000000000001', '"longitude":4.66e1', '"carrier_id":88.0',
    ]) expect(at.recordedTexts()[0]).toContain(digits);
  });
});
