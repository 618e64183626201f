import { describe, expect, it } from 'vitest';
import { authorizationErrors } from '../../../services/gateways/authorization/error-form.ts';
import { CODES, type Code } from '../../../services/kernel/codes.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import { openCarrier, without } from './authorizations.ts';

const carrier = openCarrier();
const SI = 'shipment_information';
const refusalOf = async (body: unknown, path?: string) => {
  const wishes = path === undefined ? {} : { path };
  const { status, body: answer } = await carrier.authorize(body, wishes);
  expect(status).toBe(400);
  expect(Object.keys(answer)).toEqual(['error_code', 'status_message', 'status']);
  expect(answer['status']).toBe('FAILED');
  return answer['error_code'];
};
const isAccepted = async (body: unknown) => (await carrier.authorize(body)).status === 200;

describe('a refused authorization', () => {
  it('[AUTH-09] [AUTH-38] names a missing id or transport order', async () => {
    expect(await refusalOf(without(aRequest(), 'id'))).toBe('invalid_shipment_information.id');
    expect(await refusalOf(without(aRequest(), 'transport_order_id')))
      .toBe('invalid_shipment_information.transport_order_id');
    expect(await refusalOf([])).toBe('invalid_request_information.form');
  });

  it('[AUTH-10] needs the id of the path, compared as text', async () => {
    expect(await refusalOf(aRequest({ id: 123 }), '124')).toBe('invalid_shipment_information.id');
    expect(await refusalOf(aRequest({ id: '0123' }), '123')).toBe('invalid_shipment_information.id');
    expect((await carrier.authorize(aRequest({ id: 123 }), { path: '123' })).status).toBe(200);
    expect((await carrier.authorize(aRequest({ id: '123' }), { path: '123' })).status).toBe(200);
  });

  it('[AUTH-11] knows two directions and a boolean test, or neither', async () => {
    expect(await refusalOf(without(aRequest(), 'direction', 'sideways')))
      .toBe('invalid_shipment_information.direction');
    expect(await refusalOf(without(aRequest(), 'test', 'true')))
      .toBe('invalid_shipment_information.test');
    expect(await isAccepted(without(aRequest(), 'direction'))).toBe(true);
    expect(await isAccepted(aRequest({ direction: 'return', test: true }))).toBe(true);
  });

  it('[AUTH-13] misses none of the three parts', async () => {
    expect(await isAccepted({ id: 1, transport_order_id: 'bare' })).toBe(true);
  });

  it('[AUTH-15] [AUTH-16] [AUTH-17] says buyer or seller, by the direction', async () => {
    const [noReceiver, noSender] = [
      without(aRequest(), `${SI}.receiver`), without(aRequest(), `${SI}.sender`),
    ];
    expect(await refusalOf(noReceiver)).toBe('invalid_user_information.buyer');
    expect(await refusalOf(noSender)).toBe('invalid_user_information.seller');
    const back = { direction: 'return' };
    expect(await refusalOf({ ...noReceiver as object, ...back })).toBe('invalid_user_information.seller');
    expect(await refusalOf({ ...noSender as object, ...back })).toBe('invalid_user_information.buyer');
  });

  it.each([
    ['[AUTH-18] the package', 'package', 'invalid_package_information.package'],
    ['[AUTH-19] full_name', 'receiver.full_name', 'invalid_user_information.buyer'],
    ['[AUTH-19] first_name', 'sender.first_name', 'invalid_user_information.seller'],
    ['[AUTH-19] last_name', 'receiver.last_name', 'invalid_user_information.buyer'],
    ['[AUTH-19] the phone number', 'receiver.phone.number', 'invalid_phone_information.buyer'],
    ['[AUTH-19] the address', 'sender.address', 'invalid_address_information.seller'],
    ['[AUTH-22] address_line', 'receiver.address.address_line', 'invalid_address_information.buyer'],
    ['[AUTH-22] city', 'receiver.address.city', 'invalid_address_information.buyer'],
    ['[AUTH-22] state', 'receiver.address.state', 'invalid_address_information.buyer'],
    ['[AUTH-22] country', 'receiver.address.country', 'invalid_address_information.buyer'],
    ['[AUTH-23] zip_code', 'receiver.address.zip_code', 'invalid_zip_code_information.buyer'],
    [
      '[AUTH-26] geolocation_type', 'sender.address.geolocation.geolocation_type',
      'invalid_geolocation_information.seller',
    ],
    [
      '[AUTH-26] latitude', 'receiver.address.geolocation.latitude',
      'invalid_geolocation_information.buyer',
    ],
    [
      '[AUTH-26] longitude', 'receiver.address.geolocation.longitude',
      'invalid_geolocation_information.buyer',
    ],
    ['[AUTH-29] items', 'package.items', 'invalid_package_information.items'],
    ['[AUTH-30] item_id', 'package.items.0.item_id', 'invalid_package_information.items'],
    ['[AUTH-30] description', 'package.items.0.description', 'invalid_package_information.items'],
    ['[AUTH-30] quantity', 'package.items.0.quantity', 'invalid_package_information.items'],
    ['[AUTH-31] amount', 'package.amount', 'invalid_package_information.amount'],
    ['[AUTH-31] dimensions', 'package.dimensions', 'invalid_package_information.dimensions'],
    ['[AUTH-31] height', 'package.dimensions.height', 'invalid_package_information.dimensions'],
    ['[AUTH-31] width', 'package.dimensions.width', 'invalid_package_information.dimensions'],
    ['[AUTH-31] length', 'package.dimensions.length', 'invalid_package_information.dimensions'],
    ['[AUTH-31] weight', 'package.dimensions.weight', 'invalid_package_information.dimensions'],
  ])('%s is mandatory', async (_name, place, code) => {
    expect(await refusalOf(without(aRequest(), `${SI}.${place}`))).toBe(code);
  });

  it('[AUTH-20] takes digits only as a phone number', async () => {
    for (const number of ['+5511999', '55 11', '', 'x', 55]) {
      expect(await refusalOf(without(aRequest(), `${SI}.receiver.phone.number`, number)))
        .toBe('invalid_phone_information.buyer');
    }
  });

  it('[AUTH-21] needs type and number of an identification, where there is one', async () => {
    for (const identification of [{ type: 'CPF' }, { number: '1' }, 'CPF']) {
      expect(await refusalOf(without(aRequest(), `${SI}.sender.identification`, identification)))
        .toBe('invalid_identification_information.seller');
    }
  });

  it('[AUTH-23] [AUTH-24] asks for a postal code where the country needs one', async () => {
    const place = `${SI}.receiver.address`;
    const addressIn = (country: object) =>
      without(without(aRequest(), `${place}.zip_code`), `${place}.country`, country);
    for (const id of ['AR', 'BR', 'MX', 'PE', 'ARG', 'BRA', 'MEX', 'PER', 'br', 'mEx', 'arg', 'pE']) {
      expect(await refusalOf(addressIn({ id }))).toBe('invalid_zip_code_information.buyer');
    }
    expect(await refusalOf(without(aRequest(), `${place}.zip_code`, '')))
      .toBe('invalid_zip_code_information.buyer');
    for (const country of [{ id: 'CO' }, { id: 'ury' }, { id: 'CL' }, { id: 'ECU' }, { id: 'MEXX' }, {}]) {
      expect(await isAccepted(addressIn(country))).toBe(true);
    }
  });

  it('[AUTH-25] asks for neither id nor name of a place', async () => {
    const request = aRequest();
    Object.assign(request.shipment_information?.receiver.address ?? {}, {
      city: {}, state: {}, country: {}, neighborhood: {}, municipality: {},
    });
    expect(await isAccepted(request)).toBe(true);
  });

  it('[AUTH-27] knows five kinds of geolocation', async () => {
    const place = `${SI}.receiver.address.geolocation.geolocation_type`;
    const kinds = ['APPROXIMATE', 'GEOMETRIC_CENTER', 'RANGE_INTERPOLATED', 'ROOFTOP', 'UNKNOWN'];
    for (const kind of kinds) {
      expect(await isAccepted(without(aRequest(), place, kind))).toBe(true);
    }
    expect(await refusalOf(without(aRequest(), place, 'rooftop')))
      .toBe('invalid_geolocation_information.buyer');
  });

  it('[AUTH-32] misses neither source nor volumetric_weight, and takes them', async () => {
    const request = aRequest();
    expect(await isAccepted(request)).toBe(true);
    const dimensions = request.shipment_information?.package.dimensions;
    Object.assign(dimensions ?? {}, { volumetric_weight: 9.5 });
    expect(await isAccepted({ ...request, transport_order_id: 'with-weight' })).toBe(true);
  });

  it('[AUTH-33] [AUTH-35] names faults of the requirements', async () => {
    const needing = (requirements: object) => without(aRequest(), 'requirements', requirements);
    expect(await refusalOf(needing({ special_treatments: 'groupable' })))
      .toBe('invalid_requirements_information.special_treatments');
    for (const from of ['tomorrow', '2026-01-05', '2026-02-30T00:00:00Z', 1_764_000_000]) {
      expect(await refusalOf(needing({ pickup: { schedule: { from } } })))
        .toBe('invalid_requirements_information.pickup');
      expect(await refusalOf(needing({ delivery: { schedule: { to: from } } })))
        .toBe('invalid_requirements_information.delivery');
    }
  });
});

describe('the error bodies of authorizations', () => {
  const write = (code: Code) => authorizationErrors.write({ code, detail: 'd' }, 'r', '/');

  it('[AUTH-40] is status_message and ERROR alone with 500, and says when to come back', () => {
    for (const code of ['internal', 'log_timeout', 'rate_limited', 'capacity_exhausted'] as const) {
      const { status, body, headers } = write(code);
      expect(status).toBe(500);
      expect(body).toEqual({ status_message: 'd', status: 'ERROR' });
      expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
    }
  });

  it('[AUTH-41] has a code of its own for every fault of a call', () => {
    expect(write('malformed_json').body).toEqual({
      error_code: 'invalid_request_information.json', status_message: 'd', status: 'FAILED',
    });
    expect(write('unsupported_media_type').body).toMatchObject({
      error_code: 'invalid_request_information.content_type',
    });
  });

  it('[AUTH-42] [AUTH-43] says unauthorized with 401 and forbidden with 403', () => {
    expect(write('invalid_token')).toMatchObject({
      status: 401, body: { error_code: 'unauthorized', status: 'FAILED' },
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
    for (const code of ['wrong_audience', 'insufficient_scope'] as const) {
      expect(write(code)).toMatchObject({
        status: 403, body: { error_code: 'forbidden', status: 'FAILED' },
      });
    }
  });

  it('never answers 404 or 429, whatever the code', () => {
    const statuses = (Object.keys(CODES) as Code[]).map((code) => write(code).status);
    expect([...new Set(statuses)].sort()).toEqual([400, 401, 403, 500]);
  });
});
