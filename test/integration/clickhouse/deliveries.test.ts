import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, record, writePosts, type History, type PostFacts } from './history.ts';

let history: History;
let made = 0;
const fresh = (): string => `parcel-${made += 1}`;
const NOW_MS = Date.now();
const NOW = Math.floor(NOW_MS / 1000);
const device = { external_id: 'driver-7', external_type: 'acme_driver' };
const fix = (over: object = {}) => (
  { timestamp: NOW - 10, latitude: -23.55052, longitude: -46.633308, ...over }
);
const traceable = (id: string) => ({ id, type: 'shipment' });

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

async function send(body: object, facts: Partial<PostFacts> = {}) {
  const whole = { post_timestamp: NOW - 1, locations: [fix()], ...body };
  const sent = record(
    'delivery.locations.v1', 'acme|acme_driver|driver-7', whole,
    { receivedAtMs: NOW_MS, ...facts },
  );
  expect(await writePosts(history.ingest, [sent])).toEqual([]);
}

const seen = (id: string, view = 'v_delivery_locations') => history.analyst.query(
  `SELECT * FROM ${view} WHERE traceable_id = {id:String} ORDER BY ts`, { id },
);

describe('what a delivery location keeps', () => {
  it('[DLV-08] keeps altitude, accuracy, bearing, its accuracy and metadata', async () => {
    const id = fresh();
    await send({
      device, traceables: [traceable(id)], extra: [1],
      locations: [fix({
        altitude: 760, accuracy: 5, bearing: 184.5, bearing_accuracy: 2.5, unknown: {},
        metadata: [{ name: 'door', value: 'open' }],
      })],
    }, { headers: { country: 'AR' } });
    expect(await seen(id)).toMatchObject([{
      traceable_type: 'shipment', latitude: -23.55052, longitude: -46.633308, altitude: 760,
      accuracy: 5, bearing: 184.5, bearing_accuracy: 2.5,
      metadata: [{ name: 'door', value: 'open' }], flags: [], external_type: 'acme_driver',
      external_id: 'driver-7', client_id: '100000000000001', provider: 'acme',
      call_country_id: 'AR',
    }]);
  });

  it('[DLV-10] stores each location for each traceable', async () => {
    const [a, b] = [fresh(), fresh()];
    await send({
      device, traceables: [traceable(a), traceable(b), traceable(a), { id: a, type: 'crate' }],
      locations: [fix(), fix({ timestamp: NOW - 5 })],
    });
    expect(await seen(a)).toHaveLength(4);
    expect(await seen(b)).toHaveLength(2);
  });

  it('[DLV-11] finds device and traceables in the locations where the top has none', async () => {
    const [a, b] = [fresh(), fresh()];
    const other = { external_id: 'driver-8', external_type: 'acme_driver' };
    await send({
      locations: [
        fix({ device, traceables: [traceable(a)] }), fix({ device: other,
          traceables: [traceable(b)] }),
      ],
    });
    await send({
      device, locations: [fix({ timestamp: NOW - 3, traceables: [traceable(a)] })],
    });
    expect((await seen(a)).map(({ external_id }) => external_id)).toEqual(['driver-7', 'driver-7']);
    expect(await seen(b)).toMatchObject([{ external_id: 'driver-8' }]);
  });

  it('[DLV-13] counts the same fact once, and keeps the same time with other content', async () => {
    const id = fresh();
    const body = { device, traceables: [traceable(id)] };
    await send(body, { offset: 0 });
    await send(body);
    await send({ traceables: [traceable(id)], locations: [fix({ device })] });
    await send({ ...body, locations: [fix({ accuracy: 3 })] });
    await send({ ...body, locations: [fix({ metadata: [{ name: 'a', value: 'b' }] })] });
    await send({ ...body, locations: [fix({ latitude: -23.550520000001 })] });
    const rows = await seen(id);
    expect(rows).toHaveLength(4);
    expect(rows.filter(({ k_offset }) => k_offset === '0')).toHaveLength(1);
  });

  it('[DLV-13] flags future, stale, zero positions and jumps of one driver only', async () => {
    const id = fresh();
    const far = { external_id: 'driver-9', external_type: 'acme_driver' };
    const at = (ago: number, over: object) => fix({ timestamp: NOW - ago, device, ...over });
    await send({ traceables: [traceable(id)], locations: [
      at(90_000, {}), at(60, {}), at(59, { latitude: 10, device: far }),
      at(58, { latitude: 20 }), at(57, { latitude: 0, longitude: 0 }), at(-400, { latitude: 20 }),
    ] });
    expect((await seen(id)).map(({ flags }) => flags)).toEqual([
      ['stale'], [], [], ['jump'], ['zero_position'], ['future'],
    ]);
  });

  it('[DLV-13] keeps fixes of impossible times apart', async () => {
    const id = fresh();
    await send({ device, traceables: [traceable(id)], locations: [
      fix({ timestamp: NOW - 401 * 86_400 }), fix({ timestamp: NOW + 90_000 }),
      fix({ timestamp: 946_684_800 }), fix({ timestamp: 0 }), fix({ timestamp: 2 ** 32 + NOW }),
      fix({ timestamp: 253_402_300_799 }), fix({ timestamp: 253_402_300_798 }),
    ] });
    expect(await seen(id)).toEqual([]);
    expect((await seen(id, 'v_delivery_outliers')).map(({ reason }) => reason)).toEqual([
      'clock_not_set', 'too_old', 'too_old', 'too_far_ahead', 'clock_not_set', 'clock_not_set',
      'clock_not_set',
    ]);
  });

  it('stores a body of many locations and many traceables whole', async () => {
    const type = fresh();
    const traceables = Array.from({ length: 400 }, (_, i) => ({ id: `t${i}`, type }));
    const locations = Array.from({ length: 250 }, (_, i) => fix({ timestamp: NOW - 300 + i }));
    await send({ device, traceables, locations });
    expect(await history.analyst.query(
      'SELECT count() AS n FROM v_delivery_locations WHERE traceable_type = {type:String}',
      { type },
    )).toEqual([{ n: '100000' }]);
  });
});

describe('the newest place of a traceable', () => {
  it('is the newest fix, whatever comes later, for each client that reports it', async () => {
    const id = fresh();
    const body = { device, traceables: [traceable(id)] };
    const north = fix({ timestamp: NOW - 5, latitude: 40, bearing: 90 });
    await send({ ...body, locations: [north, fix({ timestamp: NOW - 60 })] });
    await send({ ...body, locations: [
      fix({ timestamp: NOW - 30 }), fix({ timestamp: NOW - 1, latitude: 0, longitude: 0 }),
      fix({ timestamp: NOW + 301 }),
    ] });
    await send(body, { headers: { client: '100000000000002' } });
    const rows = await history.analyst.query(
      'SELECT * FROM v_traceable_last WHERE traceable_id = {id:String} ORDER BY client_id', { id },
    );
    expect(rows).toMatchObject([
      { client_id: '100000000000001', latitude: 40, bearing: 90, external_id: 'driver-7' },
      { client_id: '100000000000002', latitude: -23.55052, bearing: null },
    ]);
  });
});
