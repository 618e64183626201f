import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, holdMerges, post, writePosts, type History } from './history.ts';

let history: History;
let devices = 0;
const newDevice = (): string => `device-${devices += 1}`;
const NOW_MS = Date.now();
const NOW = Math.floor(NOW_MS / 1000);
const fix = (over: object = {}) => (
  { timestamp: NOW - 10, country_id: 'AR', latitude: -23.55052, longitude: -46.633308, ...over }
);

beforeAll(async () => {
  history = await createHistory();
  await holdMerges(history, ['locations']);
});
afterAll(async () => { await history.drop(); });

/** Rows of a view about one device, as the analyst sees them. */
async function seen(view: string, device: string, columns = '*') {
  return history.analyst.query(
    `SELECT ${columns} FROM ${view} WHERE device_id = {device:String} ORDER BY ts`, { device },
  );
}

async function send(device: string, fixes: readonly object[], facts: object = {}) {
  const deadLetters = await writePosts(history.ingest, [
    post(fixes, { device, receivedAtMs: NOW_MS, ...facts }),
  ]);
  expect(deadLetters).toEqual([]);
}

describe('what a location keeps', () => {
  it('[LOC-05] keeps altitude, accuracy, bearing, its accuracy and metadata', async () => {
    const device = newDevice();
    await send(device, [fix({
      altitude: 760.2, accuracy: 5, bearing: 184.5, bearing_accuracy: 2.5,
      metadata: [{ name: 'hatch', value: 'open' }, { name: 'línea', value: '"q"\n' }],
    })]);
    expect(await seen('v_locations', device)).toMatchObject([{
      latitude: -23.55052, longitude: -46.633308, altitude: 760.2, accuracy: 5, bearing: 184.5,
      bearing_accuracy: 2.5, metadata: { hatch: 'open', línea: '"q"\n' }, flags: [],
    }]);
  });

  it('keeps absent fields absent, and positions at every edge exact to 1e-7 degrees', async () => {
    const device = newDevice();
    const edges = [[90, 180], [-90, -180], [0.0000001, -0.0000001], [51.5073509, -0.1277583]];
    await send(device, edges.map(([latitude, longitude], i) => (
      fix({ timestamp: NOW - 9_000 + 1_000 * i, latitude, longitude })
    )));
    const rows = await seen('v_locations', device);
    expect(rows.map(({ latitude, longitude }) => [latitude, longitude])).toEqual(edges);
    expect(rows[0]).toMatchObject({ altitude: null, speed: null, ignition: null, metadata: {} });
    expect(await seen('v_telemetry', device)).toEqual([]);
  });

  it('[LOC-09] keeps every telemetry field', async () => {
    const device = newDevice();
    const telemetry = {
      timestamp: NOW - 10, ignition: true, odometer: 120345.6, speed: 61.5, speed_accuracy: 0.4,
      engine_rpm: 2100, engine_temperature: 88, air_temperature: -21.5,
      acceleration_longitudinal: 0.3, acceleration_lateral: -0.1, direction: 'NE',
      fuel_quantity: 42.5, fuel_level: 70, fuel_consumption: 9.1, battery_level: 80,
      battery_consumption: 5.2, battery_health: 97, battery_temperature: 30,
      battery_remaining: 38.4,
    };
    await send(device, [fix({ telemetry: { ...telemetry, others: [{ name: 'a', value: 'b' }] } })]);
    const { timestamp: _own, ...fields } = telemetry;
    expect(await seen('v_telemetry', device)).toMatchObject([
      { ...fields, others: { a: 'b' }, flags: [], latitude: -23.55052 },
    ]);
    expect(await seen('v_locations', device)).toMatchObject([
      { speed: 61.5, ignition: true, odometer: 120345.6 },
    ]);
  });

  it('[LOC-27] keeps the fraction of a telemetry timestamp to the millisecond', async () => {
    const device = newDevice();
    await send(device, [0.25, 0.999, 0.001].map((fraction, i) => fix({
      timestamp: NOW - 30 + i,
      telemetry: { timestamp: 1_795_000_000 + 10 * i + fraction, ignition: false },
    })), { receivedAtMs: 1_795_000_100_000 });
    const rows = await seen('v_telemetry', device, 'ts, toUnixTimestamp64Milli(ts) AS ms');
    expect(rows.map(({ ms }) => ms))
      .toEqual(['1795000000250', '1795000010999', '1795000020001']);
  });

  it('[LOC-28] keeps the country of the location beside that of the call', async () => {
    const device = newDevice();
    await send(device, [fix({ country_id: 'UY' })], { headers: { country: 'BR' } });
    expect(await seen('v_locations', device)).toMatchObject([
      { country_id: 'UY', call_country_id: 'BR' },
    ]);
  });

  it('[LOC-24] keeps the clock skew of the device', async () => {
    const device = newDevice();
    await send(device, [fix()], { receivedAtMs: NOW * 1000 + 250, postTimestamp: NOW - 90 });
    expect(await seen('v_locations', device)).toMatchObject([{ clock_skew_ms: '90250' }]);
  });

  it('[GEN-16] takes device, provider, client and transport from what was admitted', async () => {
    const device = newDevice();
    await send(device, [fix()], {
      body: { device_id: 'forged', provider: 'forged', country_id: 'XX', client: 'forged' },
      headers: { provider: 'acme', country: 'CL', client: '7', transport: '9007199254740991' },
    });
    expect(await seen('v_locations', device)).toMatchObject([{
      provider: 'acme', call_country_id: 'CL', client_id: '7', country_id: 'AR',
      transport_id: '9007199254740991',
    }]);
    expect(await seen('v_locations', 'forged')).toEqual([]);
  });

  it('[GEN-32] ignores unknown keys at every level', async () => {
    const device = newDevice();
    await send(device, [fix({
      future: [1, { a: null }], telemetry: { timestamp: NOW - 10, gear: { n: 3 }, speed: 5 },
    })], { body: { extra: { deep: [[{}]] }, locations2: [] } });
    expect(await seen('v_locations', device)).toMatchObject([{ speed: 5, flags: [] }]);
  });
});

describe('what is one fact', () => {
  const device = newDevice();
  const rich = fix({ altitude: 1.5, metadata: [{ name: 'a', value: 'b' }], telemetry: {
    timestamp: NOW - 10, speed: 5, fuel_level: 12.25, others: [{ name: 'x', value: 'y' }],
  } });

  it('[LOC-17] counts the same content once, whenever and however often it is sent', async () => {
    for (let i = 0; i < 3; i += 1) {
      await send(device, [rich, rich], {
        receivedAtMs: NOW_MS + 60_000 * i, postTimestamp: NOW + 60 * i, offset: 100 + i,
      });
    }
    expect(await seen('v_locations', device)).toMatchObject([{ k_offset: '100' }]);
    expect(await seen('v_telemetry', device)).toMatchObject([{ k_offset: '100' }]);
    const [stored] = await history.admin.query(
      'SELECT count() AS n FROM locations WHERE device_id = {device:String}', { device },
    );
    expect(Number(stored?.['n'])).toBeGreaterThan(1);
  });

  it.each([
    ['latitude', { latitude: -23.5505201 }],
    ['a digit beyond the seventh', { latitude: -23.55052000001 }],
    ['altitude', { altitude: 1.6 }],
    ['no altitude', { altitude: undefined }],
    ['bearing', { bearing: 1 }],
    ['country', { country_id: 'UY' }],
    ['metadata', { metadata: [{ name: 'a', value: 'c' }] }],
    ['no telemetry', { telemetry: undefined }],
    ['speed', { telemetry: { ...telemetryOf(rich), speed: 6 } }],
    ['fuel level alone', { telemetry: { ...telemetryOf(rich), fuel_level: 12.5 } }],
    ['time of the telemetry', { telemetry: { ...telemetryOf(rich), timestamp: NOW - 9.5 } }],
    ['other telemetry', { telemetry: { ...telemetryOf(rich), others: [] } }],
  ])('[LOC-18] keeps both when they differ in %s', async (_what, change) => {
    const own = newDevice();
    await send(own, [rich]);
    await send(own, [{ ...rich, ...change }, rich]);
    expect(await seen('v_locations', own)).toHaveLength(2);
  });

  it('gives an ordinary fix no hash, so that identity costs no room', async () => {
    const own = newDevice();
    await send(own, [
      fix(), fix({ altitude: 3.25, telemetry: { timestamp: NOW - 10, speed: 5, odometer: 3.1 } }),
    ]);
    const rows = await history.admin.query(
      'SELECT content_hash FROM locations WHERE device_id = {own:String}', { own },
    );
    expect(rows).toEqual([{ content_hash: 0 }, { content_hash: 0 }]);
  });

  it('keeps two telemetries of one time when only one number differs', async () => {
    const own = newDevice();
    const at = { timestamp: NOW - 10 };
    await send(own, [
      fix({ telemetry: { ...at, fuel_level: 1 } }), fix({ telemetry: { ...at, fuel_level: 2 } }),
      fix({ telemetry: { ...at, fuel_level: 2 } }),
    ]);
    expect(await seen('v_telemetry', own)).toHaveLength(2);
  });
});

function telemetryOf(location: object): object {
  return (location as { telemetry: object }).telemetry;
}

describe('flags', () => {
  it.each([
    ['future', 'more than 5 minutes ahead', { timestamp: NOW + 302 }, ['future']],
    ['future', '5 minutes ahead', { timestamp: NOW + 300 }, []],
    ['zero_position', '0,0', { latitude: 0, longitude: 0 }, ['zero_position']],
    ['zero_position', 'on the equator only', { latitude: 0 }, []],
    ['stale', 'older than 24 hours', { timestamp: NOW - 86_401 }, ['stale']],
    ['stale', '24 hours old', { timestamp: NOW - 86_398 }, []],
  ])('[LOC-21] flags %s: %s', async (_flag, _what, change, flags) => {
    const device = newDevice();
    await send(device, [fix(change)], { receivedAtMs: NOW * 1000 });
    expect(await seen('v_locations', device)).toMatchObject([{ flags }]);
  });

  it('[LOC-21] flags the fix that needs more than 350 km/h, in any order of the post', async () => {
    const device = newDevice();
    // At 60 S one second of longitude arc is about 15 m: 0.1 degrees in 60 s are 334 km/h.
    const at = (seconds: number, longitude: number) => (
      fix({ timestamp: NOW - 600 + seconds, latitude: -60, longitude })
    );
    await send(device, [at(120, 0.211), at(0, 0), at(60, 0.1), at(180, 0), at(240, 0.001)]);
    const rows = await seen('v_locations', device);
    expect(rows.map(({ flags }) => flags)).toEqual([[], [], ['jump'], ['jump'], []]);
  });

  it.each([
    ['fuel_level', -0.1], ['fuel_level', 100.1], ['battery_level', 101], ['battery_health', -5],
  ])('[LOC-26] stores %s of %d with a flag', async (field, value) => {
    const device = newDevice();
    await send(device, [fix({ telemetry: { timestamp: NOW - 10, [field]: value } })]);
    expect(await seen('v_telemetry', device)).toMatchObject([
      { [field]: value, flags: ['percent_range'] },
    ]);
    expect(await seen('v_locations', device)).toMatchObject([{ flags: ['percent_range'] }]);
  });

  it.each([0, 100, 55.5])('[LOC-26] stores a percentage of %d without one', async (value) => {
    const device = newDevice();
    const telemetry = {
      timestamp: NOW - 10, fuel_level: value, battery_level: value, battery_health: value,
    };
    await send(device, [fix({ telemetry })]);
    expect(await seen('v_telemetry', device)).toMatchObject([{ fuel_level: value, flags: [] }]);
  });
});

describe('the last place', () => {
  it('[LOC-22] is never one from the future, nor one at 0,0, nor moved back by a late fix', async () => {
    const device = newDevice();
    await send(device, [fix({ latitude: 1 }), fix({ timestamp: NOW + 301, latitude: 2 })]);
    await send(device, [fix({ timestamp: NOW - 5, latitude: 0, longitude: 0 })]);
    await send(device, [fix({ timestamp: NOW - 500, latitude: 3 })]);
    expect(await seen('v_device_last', device)).toMatchObject([{ latitude: 1 }]);
    expect(await seen('v_locations', device)).toHaveLength(4);
  });

  it('is the later record of two with the same time, also when both come again', async () => {
    const device = newDevice();
    await send(device, [fix({ latitude: 1 })], { offset: 501 });
    await send(device, [fix({ latitude: 2 })], { offset: 502 });
    await send(device, [fix({ latitude: 1 })], { offset: 501, receivedAtMs: NOW_MS });
    expect(await seen('v_device_last', device)).toMatchObject([{ latitude: 2 }]);
  });

  it('is the later of two fixes with the same time in one post', async () => {
    const device = newDevice();
    await send(device, [fix({ latitude: 1 }), fix({ latitude: 3 }), fix({ latitude: 2 })]);
    expect(await seen('v_device_last', device)).toMatchObject([{ latitude: 2 }]);
  });

  it('is the later record of two in one insert with the same time', async () => {
    const device = newDevice();
    const at = { device, receivedAtMs: NOW_MS };
    expect(await writePosts(history.ingest, [
      post([fix({ latitude: 1 })], { ...at, offset: 801 }),
      post([fix({ latitude: 3 })], { ...at, offset: 803 }),
      post([fix({ latitude: 2 })], { ...at, offset: 802 }),
    ])).toEqual([]);
    expect(await seen('v_device_last', device)).toMatchObject([{ latitude: 3 }]);
  });
});

describe('a backlog', () => {
  it('of a year of days is taken in one post', async () => {
    const device = newDevice();
    const days = Array.from({ length: 390 }, (_, i) => fix({ timestamp: NOW - i * 86_400 }));
    await send(device, days);
    expect(await seen('v_locations', device)).toHaveLength(390);
  });
});
