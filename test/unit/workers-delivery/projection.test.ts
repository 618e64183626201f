import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { driverHash, type DriverErased } from '../../../services/kernel/erased-drivers.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import type { LogHandler, LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { readRecord } from '../../support/read-record.ts';

const TOPIC = 'delivery.locations.v1';
const CLIENT = '100000000000042';
const RECEIVED = 1_764_000_000;
const clock = { nowMs: () => RECEIVED * 1000 + 9_000 };
const device = { external_id: 'driver-7', external_type: 'acme_driver' };
const headers = {
  client: CLIENT, provider: 'acme', country: 'BR', 'received-at': String(RECEIVED * 1000),
};
const shipment = { id: 'p', type: 'shipment' };
const crate = { id: 'c', type: 'crate' };
const fix = (ago: number, over: object = {}) => (
  { timestamp: RECEIVED - ago, latitude: -23.5, longitude: -46.6, ...over }
);
const post = (offset: number, body: object, over: Partial<LogRecord> = {}): LogRecord =>
  aLogRecord(TOPIC, offset, body, { key: 'acme|acme_driver|driver-7', headers, ...over });

describe('The delivery projector', () => {
  let states: FakeStates;
  let log: FakeRecordLog;
  let projector: LogHandler;

  beforeEach(() => {
    states = fakeStates();
    log = fakeRecordLog();
    const signals = silentSignals;
    const deadLetters = createDeadLetters(
      { worker: 'projector.deliveries', codeVersion: '9.9.9', appendMsMax: 1_000 }, { log, clock, signals },
    );
    projector = createProjection(
      'deliveries', { poisonedMin: 3, poisonedRatioMax: 0.5, fixAgeSecondsMax: 1_000_000 },
      { ...states, digest: sha256, readRecord, deadLetters, clock, signals },
    );
  });

  const place = (traceable: { id: string; type: string }, client = CLIENT) =>
    states.traceables.find(client, traceable.type, traceable.id);

  it('keeps the newest place of each traceable, with its driver and what was admitted', async () => {
    const committed = await projector.onRecords([
      post(5, {
        device, traceables: [shipment, crate],
        locations: [fix(9), fix(3, { latitude: 7, bearing: 12.5 }), fix(5)],
      }),
    ]);
    expect(committed).toEqual([{ topic: TOPIC, partition: 0, nextOffset: 6n }]);
    expect(await place(shipment)).toEqual({
      client_id: CLIENT, traceable_type: 'shipment', traceable_id: 'p',
      timestamp: RECEIVED - 3, latitude: 7, longitude: -46.6, bearing: 12.5, country_id: 'BR',
      received_at_ms: RECEIVED * 1000, provider: 'acme', external_type: 'acme_driver',
      external_id: 'driver-7',
    });
    expect(await place(crate)).toMatchObject({ latitude: 7, traceable_type: 'crate' });
  });

  it('[GEN-62] takes no fix of an erased driver up to then, whichever of both comes first', async () => {
    const salt = 'a'.repeat(32);
    const erasure: DriverErased = {
      type: 'DriverErased', client_id: CLIENT, provider: 'acme', salt,
      driver_hash: driverHash(sha256, salt, device), received_until_ms: RECEIVED * 1000,
    };
    const erase = (over: object = {}) => projector.onRecords([
      aLogRecord('personal.erased-drivers.v1', 1, { ...erasure, ...over }, { key: 'k' }),
    ]);
    const other = { ...device, external_id: 'driver-8' };
    const both = post(1, { locations: [
      fix(9, { device, traceables: [shipment] }), fix(3, { device: other, traceables: [crate] }),
    ] });
    await projector.onRecords([both]);
    expect(await place(shipment)).toMatchObject({ external_id: 'driver-7' });
    await erase();
    await erase({ traceables: [shipment, crate], received_until_ms: RECEIVED * 1000 });
    expect([await place(shipment), await place(crate)]).toEqual([undefined, undefined]);
    // It comes again, as in a rebuild: what is about the other driver stays.
    const alone = { device, traceables: [shipment], locations: [fix(1)] };
    await projector.onRecords([both, post(2, alone)]);
    expect(await place(shipment)).toBeUndefined();
    expect(await place(crate)).toMatchObject({ external_id: 'driver-8' });
    await projector.onRecords([post(3, { device, traceables: [shipment], locations: [fix(9)] }, {
      headers: { ...headers, 'received-at': String(RECEIVED * 1000 + 1) },
    })]);
    expect(await place(shipment)).toMatchObject({ timestamp: RECEIVED - 9 });
    expect(JSON.stringify(log.appended)).not.toContain('dead-letters');
  });

  it('[DLV-11] reads device and traceables of each location where the top has none', async () => {
    const other = { ...device, external_id: 'driver-8' };
    await projector.onRecords([post(1, { locations: [
      fix(9, { device, traceables: [shipment] }), fix(3, { device: other, traceables: [crate] }),
      fix(5, { device: other, traceables: [shipment] }),
    ] })]);
    expect(await place(shipment)).toMatchObject({ timestamp: RECEIVED - 5, external_id: 'driver-8' });
    expect(await place(crate)).toMatchObject({ timestamp: RECEIVED - 3 });
  });

  it('[DLV-13] never moves a place back, whatever comes late, in one batch or the next', async () => {
    const at = (offset: number, ago: number, latitude: number) =>
      post(offset, { device, traceables: [shipment], locations: [fix(ago, { latitude })] });
    await projector.onRecords([at(1, 3, 1), at(2, 9, 2), at(3, 3, 3)]);
    expect(await place(shipment)).toMatchObject({ latitude: 3 });
    await projector.onRecords([at(4, 4, 4)]);
    expect(await place(shipment)).toMatchObject({ latitude: 3 });
    await projector.onRecords([at(1, 3, 1)]);
    expect(await place(shipment)).toMatchObject({ latitude: 3 });
  });

  it('[DLV-13] takes no place from the future, from long ago, or at 0,0', async () => {
    const body = (locations: object[]) => ({ device, traceables: [shipment], locations });
    await projector.onRecords([post(1, body([
      fix(-301), fix(1_000_001), fix(0, { latitude: 0, longitude: 0 }),
      fix(0, { timestamp: 0 }), fix(0, { timestamp: 253_402_300_799 }),
    ]))]);
    expect(await place(shipment)).toBeUndefined();
    await projector.onRecords([post(2, body([fix(-300), fix(1_000_000)]))]);
    expect(await place(shipment)).toMatchObject({ timestamp: RECEIVED + 300 });
  });

  it('keeps the same id of two clients apart', async () => {
    const body = (latitude: number) => (
      { device, traceables: [shipment], locations: [fix(3, { latitude })] }
    );
    const client = '100000000000043';
    await projector.onRecords([
      post(1, body(1)), post(2, body(2), { headers: { ...headers, client } }),
    ]);
    expect(await place(shipment)).toMatchObject({ latitude: 1 });
    expect(await place(shipment, client)).toMatchObject({ latitude: 2 });
  });

  it.each([
    ['no headers', { device, traceables: [shipment], locations: [fix(1)] }, {}],
    ['no driver', { traceables: [shipment], locations: [fix(1)] }, headers],
    ['no traceable', { device, traceables: [], locations: [fix(1)] }, headers],
    ['no list', { device, traceables: [shipment], locations: 7 }, headers],
    ['a fix without a time', { device, traceables: [shipment], locations: [{}] }, headers],
    [
      'a traceable without a type',
      { device, traceables: [{ id: 'p' }], locations: [fix(1)] }, headers,
    ],
  ])('dead-letters what is no such post: %s', async (_why, body, own) => {
    await projector.onRecords([post(1, body, { headers: own })]);
    expect(log.of('dead-letters.v1')).toMatchObject([{ value: { code: 'record_invalid' } }]);
  });

  it('dead-letters what is in no frame, and commits behind it', async () => {
    const good = { device, traceables: [shipment], locations: [fix(1)] };
    expect(await projector.onRecords([anUndecodableRecord(TOPIC, 1), post(2, good)]))
      .toEqual([{ topic: TOPIC, partition: 0, nextOffset: 3n }]);
    expect(log.of('dead-letters.v1')).toMatchObject([{ value: { code: 'undecodable' } }]);
    expect(await place(shipment)).toBeDefined();
  });
});
