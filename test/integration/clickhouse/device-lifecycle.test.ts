import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';
import { aClient, aRegistration, startOf, stopOf } from '../../support/state-facts.ts';
import { createHistory, record, writePosts, type History } from './history.ts';

const NOW_MS = Date.now();
const CLIENT = aClient();
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const text = (milliseconds: number): string => (
  new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ')
);
const inLog = (fact: DeviceEvent, offset?: number) => record(
  'rtt.device-lifecycle.v1', fact.device_id, fact, {
    receivedAtMs: fact.at_ms - 5, headers: { client: fact.client_id },
    ...(offset === undefined ? {} : { offset }),
  },
);

async function send(...facts: readonly DeviceEvent[]): Promise<void> {
  expect(await writePosts(history.ingest, facts.map((fact) => inLog(fact)))).toEqual([]);
}

const seen = (view: string, device: string) => history.analyst.query(
  `SELECT * FROM ${view} WHERE device_id = {device:String} ORDER BY ALL`, { device },
);

describe('devices for analysts', () => {
  it('show what they are and how long they were tracked, once for each life', async () => {
    const device = aRegistration(CLIENT, {
      at_ms: NOW_MS - 600_000, generation: 2, transport_id: 77,
      device_specs: { device_type: 'GPS', brand: 'Teltonika', model: 'FMB120' },
    });
    const start = startOf(device, NOW_MS - 500_000);
    const stop = stopOf(device, NOW_MS - 79_500);
    await send(device, start, stop);
    await send(stop, { ...start, at_ms: NOW_MS }, device);
    expect(await seen('v_devices', device.device_id)).toEqual([{
      device_id: device.device_id, client_id: CLIENT.client_id, status: 'stopped',
      entity_type: 'acme_truck', generation: '2', transport_id: '77', country_id: 'BR',
      device_type: 'GPS', brand: 'Teltonika', model: 'FMB120',
      registered_at: text(device.at_ms), started_at: text(start.at_ms),
      stopped_at: text(stop.at_ms), tracked_s: 420.5,
    }]);
    const steps = await history.analyst.query(
      'SELECT step, at, received_at, k_partition FROM v_device_lifecycle'
      + ' WHERE device_id = {device:String} ORDER BY at', { device: device.device_id },
    );
    expect(steps).toEqual([device, start, stop].map(({ at_ms }, n) => ({
      step: ['registered', 'started', 'stopped'][n], at: text(at_ms),
      received_at: text(at_ms - 5), k_partition: 3,
    })));
  });

  it('[GEN-34] show the greatest Long exactly', async () => {
    const transport_id = '9223372036854775807';
    const device = aRegistration(CLIENT, { transport_id });
    await send(device, startOf(device));
    expect(await seen('v_devices', device.device_id)).toMatchObject([{ transport_id }]);
  });

  it('show the furthest step, in whatever order the facts come', async () => {
    const [waiting, tracked] = [aRegistration(CLIENT), aRegistration(CLIENT)];
    await send(startOf(tracked), waiting, tracked);
    expect(await seen('v_devices', waiting.device_id))
      .toMatchObject([{ status: 'registered', started_at: null, tracked_s: null }]);
    expect(await seen('v_devices', tracked.device_id))
      .toMatchObject([{ status: 'tracking', stopped_at: null, tracked_s: null }]);
  });

  it('show a device whose registration could not be read', async () => {
    const lost = aRegistration(CLIENT);
    await send(startOf(lost), stopOf(lost));
    expect(await seen('v_devices', lost.device_id)).toMatchObject([{
      client_id: CLIENT.client_id, status: 'stopped', registered_at: null, entity_type: '',
      tracked_s: 0.01,
    }]);
  });

  it('keep nothing of how an owner calls a device, not of one in clear either', async () => {
    const old = aRegistration(CLIENT, {
      entity_id: 'SECRET', device_specs: { equipment_id: 'SECRET', brand: 'Teltonika' },
    });
    const sealed = aRegistration(CLIENT, {
      entity_hash: 'SECRET', personal: { key: 'SECRET', sealed: 'SECRET', mac: 'SECRET' },
    });
    await send(old, sealed);
    const rows = await history.admin.query(
      'SELECT * FROM device_lifecycle WHERE device_id IN ({devices:Array(String)})',
      { devices: [old.device_id, sealed.device_id] },
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('SECRET');
  });

  it('are in the ledger of what was read, so that one that was never read is a gap', async () => {
    const device = aRegistration(CLIENT, { at_ms: NOW_MS });
    expect(await writePosts(history.ingest, [
      inLog(device, 1_000_001), inLog(stopOf(device), 1_000_003),
    ])).toEqual([]);
    expect(await history.analyst.query(
      `SELECT topic, first_missing, records
       FROM v_ingest_gaps(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
       WHERE first_missing > 1000000`,
      { since: text(NOW_MS - 60_000), until: text(NOW_MS + 60_000) },
    )).toEqual([{
      topic: 'rtt.device-lifecycle.v1', first_missing: '1000002', records: '1',
    }]);
  });
});
