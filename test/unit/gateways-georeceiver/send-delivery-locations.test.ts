import { describe, expect, it } from 'vitest';
import { sendDeliveryLocations } from '../../../services/gateways/georeceiver/operations/send-delivery-locations.ts';
import { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import { written } from '../../support/calls.ts';
import { asInCatalog, dataCall, dataPorts, UUID_V7 } from './data-calls.ts';

const fix = { timestamp: 1_764_000_000, latitude: -23.5, longitude: -46.6 };
const device = { external_id: 'driver-7', external_type: 'acme_driver' };
const traceable = { id: '4001', type: 'shipment' };
const crate = { id: 'c-1', type: 'crate' };
const traceables = [traceable, crate];
const body = (over: object = {}) => ({ post_timestamp: 1_764_000_005, locations: [fix], ...over });

async function send(value: object) {
  const ports = dataPorts();
  const operation = sendDeliveryLocations(ports);
  const call = dataCall(value, undefined);
  const answer = await operation.handle(call);
  const cost = operation.admissionOf?.(value);
  return { reply: written(operation, answer), record: ports.log.appended[0], call, cost };
}

describe('send delivery locations', () => {
  it('[DLV-01] [DLV-06] [GEN-06] answers 202 and Accepted, without any registered device', async () => {
    const { reply, record, call, cost } = await send(body({ device, traceables }));
    expect(reply).toMatchObject({ status: 202, body: { status: 202, message: 'Accepted' } });
    expect(reply.headers['Ingest-Id']).toMatch(UUID_V7);
    expect(record).toMatchObject({
      topic: 'delivery.locations.v1', key: 'acme|acme_driver|driver-7',
      headers: { 'ingest-id': reply.headers['Ingest-Id'], provider: 'acme', transport: '' },
    });
    expect(record?.bytes).toBe(call.canonical);
    expect(cost).not.toHaveProperty('deviceId');
    expect(Object.keys(record!.headers)).toEqual(
      expect.arrayContaining([...TOPICS.deliveryLocations.headers]),
    );
  });

  it('[DLV-02] takes the country of the query', async () => {
    const { record } = await send(body({ device, traceables }));
    expect(record?.headers['country']).toBe('BR');
  });

  it('[DLV-10] counts and charges each location for each traceable', async () => {
    const { record, cost } = await send(body({ device, traceables, locations: [fix, fix, fix] }));
    expect(record?.headers['n']).toBe('6');
    expect(cost).toEqual({ locations: 6 });
    const own = await send(body({
      device, locations: [{ ...fix, traceables: [traceable] }, { ...fix, traceables }],
    }));
    expect(own.record?.headers['n']).toBe('3');
  });

  it('[DLV-11] moves what all locations agree on to the top level', async () => {
    const inItems = { ...fix, device, traceables };
    const { record } = await send(body({ locations: [inItems, inItems] }));
    expect(record?.value).toEqual(body({ device, traceables, locations: [fix, fix] }));
    expect(record?.key).toBe('acme|acme_driver|driver-7');
  });

  it('[DLV-11] leaves in the locations what differs from one to the next', async () => {
    const other = { ...device, external_id: 'driver-8' };
    const locations = [{ ...fix, device, traceables }, { ...fix, device: other, traceables }];
    const { record } = await send(body({ locations }));
    expect(record?.value).toEqual(body({
      traceables, locations: [{ ...fix, device }, { ...fix, device: other }],
    }));
  });

  it('[DLV-11] takes the same in both places once, in any order of fields and traceables', async () => {
    const turned = { external_type: 'acme_driver', external_id: 'driver-7' };
    const item = { ...fix, device: turned, traceables: [crate, traceable, traceable] };
    const { record, reply } = await send(body({ device, traceables, locations: [item, fix] }));
    expect(reply.status).toBe(202);
    expect(record?.value).toEqual(body({ device, traceables, locations: [fix, fix] }));
  });

  it('[GEN-32] keeps unknown fields of a device in the log', async () => {
    const item = { ...fix, device: { ...device, plate: 'X' } };
    const { record } = await send(body({ device, traceables, locations: [item] }));
    expect(record?.value).toEqual(body({ device, traceables, locations: [item] }));
  });

  it('[DLV-12] answers 400 where the two places differ, naming each location', async () => {
    const { reply, record } = await send(body({
      device, traceables,
      locations: [
        fix, { ...fix, device: { ...device, external_id: 'driver-8' } },
        { ...fix, device, traceables: [traceable] },
      ],
    }));
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: [
          { pointer: '/locations/1/device', code: 'not_allowed' },
          { pointer: '/locations/2/traceables', code: 'not_allowed' },
        ],
      },
    });
    expect(record).toBeUndefined();
  });

  it('[DLV-12] lists at most 50 of them', async () => {
    const wrong = { ...fix, traceables: [traceable] };
    const { reply } = await send(body({ device, traceables, locations: Array(60).fill(wrong) }));
    expect(reply.body['errors']).toHaveLength(50);
  });

  it('is the operation of the catalog', () => {
    const row = OPERATIONS['send-delivery-locations'];
    expect(asInCatalog(sendDeliveryLocations(dataPorts()))).toMatchObject({
      method: row.method, path: row.path, authentication: row.authentication,
      audience: row.audience, scope: row.scope, bodySchema: row.request.schema,
      bodyBytesMax: row.request.bytes_max,
    });
  });
});
