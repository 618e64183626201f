import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIds } from '../../../services/adapters/system/system.ts';
import { createHistory, post, record, writePosts, type History } from './history.ts';

let history: History;
let devices = 0;
const newDevice = (): string => `device-${devices += 1}`;
const NOW_MS = Date.now();
const NOW = Math.floor(NOW_MS / 1000);
const END_OF_9999 = 253_402_300_799;
const fix = (over: object = {}) => (
  { timestamp: NOW - 10, country_id: 'AR', latitude: -23.55052, longitude: -46.633308, ...over }
);

beforeAll(async () => { history = await createHistory(); });
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

describe('times out of range', () => {
  const DAY = 86_400;
  it.each([
    ['older than the retention window', -400 * DAY - 1, 'too_old'],
    ['more than a day ahead', DAY + 1, 'too_far_ahead'],
    ['at the beginning of the times of a clock', 946_684_800 - NOW, 'too_old'],
    ['before the times of a clock', 946_684_799 - NOW, 'clock_not_set'],
    ['at the end of the times of a clock', 4_102_444_800 - NOW, 'too_far_ahead'],
    ['after the times of a clock', 4_102_444_801 - NOW, 'clock_not_set'],
    ['at 0', -NOW, 'clock_not_set'],
    ['that comes round to now in 32 bits', 2 ** 32, 'clock_not_set'],
    ['at the end of 9999', END_OF_9999 - NOW, 'clock_not_set'],
  ])('[LOC-23] [GEN-27] stores a fix %s apart and nowhere else', async (_what, offset, reason) => {
    const device = newDevice();
    await send(device, [fix({ timestamp: NOW + offset, altitude: 5 })], {
      receivedAtMs: NOW * 1000,
    });
    const rows = await seen('v_location_outliers', device);
    expect(rows).toMatchObject([{ kind: 'location', reason, latitude: -23.55052 }]);
    expect(JSON.parse(String(rows[0]?.['content'])))
      .toMatchObject({ timestamp: NOW + offset, altitude: 5 });
    expect(await seen('v_locations', device)).toEqual([]);
    expect(await seen('v_device_last', device)).toEqual([]);
  });

  it.each([-400 * DAY + 3_600, DAY])('[LOC-23] takes a fix %d s away as usual', async (offset) => {
    const device = newDevice();
    await send(device, [fix({ timestamp: NOW + offset })], { receivedAtMs: NOW * 1000 });
    expect(await seen('v_locations', device)).toHaveLength(1);
    expect(await seen('v_location_outliers', device)).toEqual([]);
  });

  it('checks telemetry by its own time', async () => {
    const device = newDevice();
    await send(device, [
      fix({ telemetry: { timestamp: 946_684_800.5, speed: 1 } }),
      fix({ timestamp: NOW + 2 * DAY, telemetry: { timestamp: NOW - 7, speed: 2 } }),
    ]);
    expect(await seen('v_locations', device)).toHaveLength(1);
    expect(await seen('v_telemetry', device)).toMatchObject([{ speed: 2 }]);
    expect(await seen('v_location_outliers', device, 'kind'))
      .toEqual([{ kind: 'telemetry' }, { kind: 'location' }]);
  });

  it('[GEN-27] shows an outlier under its time, as far as a column reaches', async () => {
    const device = newDevice();
    const times = [END_OF_9999, 253_402_300_798, 10_413_792_000, 5e9, 0];
    await send(device, times.map((timestamp) => fix({ timestamp })));
    await send(device, times.map((timestamp) => fix({ timestamp })));
    const end = '2299-12-31 23:59:59.000';
    expect((await seen('v_location_outliers', device)).map(({ ts }) => ts))
      .toEqual(['1970-01-01 00:00:00.000', '2128-06-11 08:53:20.000', end, end, end]);
  });

  it('[GEN-27] knows a telemetry of the second 0 from none', async () => {
    const device = newDevice();
    await send(device, [
      fix({ telemetry: { timestamp: 0, speed: 1 } }), fix({ timestamp: NOW - 8 }),
      fix({ timestamp: NOW - 7, telemetry: { timestamp: END_OF_9999, speed: 3 } }),
    ]);
    expect(await seen('v_locations', device, 'speed'))
      .toEqual([{ speed: 1 }, { speed: null }, { speed: 3 }]);
    expect(await seen('v_telemetry', device)).toEqual([]);
    expect(await seen('v_location_outliers', device, 'kind, reason')).toEqual([
      { kind: 'telemetry', reason: 'clock_not_set' }, { kind: 'telemetry', reason: 'clock_not_set' },
    ]);
  });

  it.each([[0, '1970-01-01 00:00:00'], [END_OF_9999, '2106-02-07 06:28:15']])(
    '[GEN-27] keeps a post that says that it was sent at %d', async (postTimestamp, post_ts) => {
      const device = newDevice();
      await send(device, [fix(), fix({ timestamp: 0 })], { postTimestamp });
      expect(await seen('v_locations', device)).toMatchObject([{ post_ts, flags: [] }]);
      expect(await seen('v_location_outliers', device)).toMatchObject([{ post_ts }]);
    },
  );

  it('[GEN-27] never makes one the last place, nor keeps a later fix from it', async () => {
    const device = newDevice();
    await send(device, [0, 2 ** 32 + NOW, END_OF_9999].map((timestamp) => fix({ timestamp })));
    expect(await seen('v_device_last', device)).toEqual([]);
    await send(device, [fix({ latitude: 3 })]);
    expect(await seen('v_device_last', device)).toMatchObject([{ latitude: 3 }]);
  });
});

describe('the outcome of times that cannot be', () => {
  const ids = createIds({ nowMs: () => Date.now() });
  const atMs = NOW_MS - 7_200_000;
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  const window = `since = '${text(atMs)}', until = '${text(atMs + 60_000)}'`;
  const sent = (items: number) => (
    { receivedAtMs: atMs + 5, headers: { 'ingest-id': ids.ingestId(), n: String(items) } }
  );
  const never = [0, 946_684_799, 2 ** 32 + NOW, END_OF_9999].map((timestamp) => fix({ timestamp }));

  it('[GEN-07] [GEN-27] is outlier for each, and nothing is unexplained', async () => {
    const device = newDevice();
    const post_timestamp = END_OF_9999;
    const event = (start_date: string) => ({ name: 'stop', start_date, end_date: start_date });
    const dates = ['0001-01-01T00:00:00Z', '1970-01-01T00:00Z', '9999-12-31T23:59:59Z'];
    const late = fix({ timestamp: NOW - 7_300, telemetry: { timestamp: 0, speed: 1 } });
    const delivery = {
      post_timestamp, device: { external_id: device, external_type: 'driver' },
      traceables: [{ id: device, type: 'shipment' }], locations: never,
    };
    expect(await writePosts(history.ingest, [
      post([late, ...never], { device, postTimestamp: post_timestamp, ...sent(5) }),
      record('rtt.telemetry-events.v1', device, { post_timestamp, events: dates.map(event) },
        sent(3)),
      record('delivery.locations.v1', 'acme|driver|x', delivery, sent(4)),
    ])).toEqual([]);
    expect(await history.analyst.query(`SELECT kind, stored, duplicate, outlier, waiting, missing
      FROM v_ingest_outcomes(${window}) ORDER BY kind`)).toEqual([
      outcome('delivery_locations', 0, 4), outcome('locations', 1, 4),
      outcome('telemetry_events', 0, 3),
    ]);
    expect(await history.analyst.query(
      `SELECT sum(accepted) AS items, sum(unexplained) AS odd FROM v_ingest_balance(${window})`,
    )).toEqual([{ items: '12', odd: '0' }]);
  });
});

function outcome(kind: string, stored: number, outlier: number) {
  return {
    kind, stored: String(stored), duplicate: '0', outlier: String(outlier), waiting: '0',
    missing: '0',
  };
}
