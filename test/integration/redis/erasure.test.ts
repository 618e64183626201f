import { afterAll, beforeAll, expect, it } from 'vitest';
import { entityDigest } from '../../../services/adapters/redis/keys.ts';
import { createKeyRing } from '../../../services/adapters/secrets/key-ring.ts';
import { createPersonalSeals } from '../../../services/adapters/secrets/personal-seals.ts';
import { keyedSecrets, sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { notificationRecorded, openNotification } from '../../../services/domain/journey/notification.ts';
import { registerDevice } from '../../../services/gateways/devices/operations/register-device.ts';
import { listEntityDevices } from '../../../services/gateways/query/operations/list-entity-devices.ts';
import { showDevice } from '../../../services/gateways/query/operations/show-device.ts';
import { shipmentSubject, type PersonalSeals } from '../../../services/kernel/personal.ts';
import type { LogReader, LogRecord } from '../../../services/kernel/record-log.ts';
import type { NotificationRecorded } from '../../../services/kernel/shipments.ts';
import { personCommand } from '../../../services/cli/person/command.ts';
import { keysFromLog } from '../../../services/cli/person/log.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { rebuildSourcesOf } from '../../../services/workers/rebuild-sources.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { rebuildRedis, type StateRebuilt } from '../../../services/workers/rebuild/rebuild-redis.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { PERSONAL_KEY } from '../../support/fake-personal.ts';
import { aNotification } from '../../support/notifications.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { readRecord } from '../../support/read-record.ts';

const NUMBERS = ['RST-ERASED', 'RST-KEPT'] as const;
const PLATES = ['B-XY-1234567', 'B-AB-7654321'] as const;
/** Where both devices are: the erased one nowhere afterwards. */
const LATITUDE = -23.5471147;
const DRIVERS = ['ana-souza-4711', 'rui-lima-4712'] as const;
const CLIENT = callOf({}).caller?.clientId ?? '';
const clock = { nowMs: () => Date.now() };
const log = fakeRecordLog();
const reader: LogReader = {
  readToEnd: (topics, onRecords) => fakeLogReader(allRecords()).readToEnd(topics, onRecords),
};
let states: OpenedRedis;
let personal: PersonalSeals;

beforeAll(async () => {
  states = await openRedisStates();
  personal = createPersonalSeals(PERSONAL_KEY, { states: states.personalKeys, log, clock });
});
afterAll(() => states.close());

function allRecords(): readonly LogRecord[] {
  return log.appended.map(({ topic, key, value, headers }, at) => (
    aLogRecord(topic, at, value, { key, headers })
  ));
}

/** What compaction leaves of the keys: the newest record at each place. */
function compacted(): readonly LogRecord[] {
  const records = allRecords();
  const newest = new Map(records.map(({ topic, key, offset }) => [`${topic} ${key}`, offset]));
  return records.filter(({ topic, key, offset }) => (
    topic !== 'personal.keys.v1' || newest.get(`${topic} ${key}`) === offset
  ));
}

const keyed = (text: string): string => keyedSecrets('pepper-for-tests').hash(text);

async function register(plate: string): Promise<string> {
  const operation = registerDevice({ raceWaitMsMax: 1_000, racePollMs: 5 }, {
    states: states.devices, personal, log, clock, pause: async () => {},
    keyed, ids: { ingestId: () => 'i', nonce: () => crypto.randomUUID() },
  });
  const external_entity = { entity_type: 'van', entity_id: plate };
  const body = { external_entity, transport: { id: 7 }, device_specs: { equipment_id: plate } };
  return String(written(operation, await operation.handle(callOf({ body }))).body['id']);
}

async function notify(number: string): Promise<void> {
  const keys = await personal.forWriting([shipmentSubject(number)], Date.now() + 5_000);
  const notification = { ...aNotification('0133'), tracking_number: number };
  const fact = notificationRecorded(keys, number, notification as never, {});
  const value = Buffer.from(JSON.stringify(fact));
  await log.append({ topic: 'shipment.notifications.v1', key: number, value, headers: {} }, 0);
}

/** A post of a device a second ago, as the gateways append it. */
async function send(device_id: string): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const value = Buffer.from(JSON.stringify({
    device_id, post_timestamp: now,
    locations: [{ timestamp: now - 1, country_id: 'BR', latitude: LATITUDE, longitude: -46.6 }],
  }));
  await log.append({
    topic: 'rtt.locations.v1', key: device_id, value,
    headers: {
      'received-at': String(Date.now() - 1), client: CLIENT,
      provider: 'acme', country: 'BR', n: '1',
    },
  }, 0);
}

/** A post of deliveries about both drivers, each with a parcel of its own. */
async function deliver(): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const value = Buffer.from(JSON.stringify({
    post_timestamp: now,
    locations: DRIVERS.map((external_id, at) => ({
      timestamp: now - 1, latitude: 1, longitude: 2, device: { external_id, external_type: 'van' },
      traceables: [{ type: 'parcel', id: `parcel-${at}` }],
    })),
  }));
  await log.append({
    topic: 'delivery.locations.v1', key: `acme|van|${DRIVERS[0]}`, value,
    headers: {
      'received-at': String(Date.now() - 1), client: CLIENT, provider: 'acme', country: 'BR', n: '2',
    },
  }, 0);
}

/** What its owner reads of each device, and what a feed returns of each shipment. */
async function answers(devices: readonly string[]): Promise<readonly string[]> {
  const operation = showDevice(states.devices, personal);
  const shown = await Promise.all(devices.map(async (device_id) => (
    written(operation, await operation.handle(callOf({ params: { device_id } }))).body
  )));
  const keys = await personal.forReading(NUMBERS.map(shipmentSubject));
  const reported = log.of('shipment.notifications.v1').map(({ key, value }) => {
    const { notification, personal: sealed } = value as NotificationRecorded;
    return openNotification(keys, key, notification, sealed);
  });
  return [...shown, ...reported].map((each) => JSON.stringify(each));
}

/** Ids of the devices that their owner finds by these names, without their type. */
async function foundBy(names: readonly string[]): Promise<readonly string[]> {
  const operation = listEntityDevices({ entities: states.entities, keyed, personal });
  const found = await Promise.all(names.map(async (external_entity_id) => (
    written(operation, await operation.handle(callOf({ query: { external_entity_id } })))
      .body['devices'] as { id: string }[]
  )));
  return found.flat().map(({ id }) => id);
}

async function erase(...about: readonly string[]): Promise<void> {
  const ports = {
    log, reader, clock, keyRing: createKeyRing(PERSONAL_KEY), pause: async () => undefined,
    images: { erase: async () => undefined },
    watch: { offsets: async () => [] }, trackEraser: { erase: async () => 0 },
    digest: sha256, ids: { nonce: () => 'd'.repeat(32) },
    driverEraser: {
      driversOf: async () => [], erase: async () => 0,
      traceablesOf: async () => [{ type: 'parcel', id: 'parcel-0' }],
    },
    personal: createPersonalSeals(PERSONAL_KEY, { states: keysFromLog(reader), log, clock }),
  };
  const { exitCode } = await personCommand(ports as unknown as OperatorPorts, [...about]);
  expect(exitCode).toBe(0);
}

/** As `rastro rebuild redis` does it, from the log or from what is left of it. */
function rebuild(records: readonly LogRecord[]): Promise<StateRebuilt> {
  return rebuildRedis({ ...POISON_FLOOD_LIMITS, leaseMs: 30_000, renewMs: 100 }, {
    upkeep: states.upkeep, lastFixes: states.lastFixes,
    sources: rebuildSourcesOf(states, readRecord),
    ports: {
      readiness: states.readiness, reader: fakeLogReader(records), owner: 'test',
      isStopping: () => false, clock, signals: silentSignals,
    },
  }, sha256, true);
}

/** As the projectors do it with everything that is new. */
async function keep(): Promise<void> {
  const { state, lastFixes } = rebuildSourcesOf(states, readRecord);
  for (const { topics, applyRecords } of [...state, lastFixes]) {
    await applyRecords(allRecords().filter(({ topic }) => topics.includes(topic)));
  }
}

it('a rebuild after an erasure gives the same hash in every shard and no personal data', async () => {
  const devices = await Promise.all(PLATES.map(register));
  for (const number of NUMBERS) await notify(number);
  for (const device of devices) await send(device);
  await deliver();
  await keep();
  expect(JSON.stringify(await states.dump()).split(String(LATITUDE))).toHaveLength(3);
  const [, keptDevice, , keptShipment] = await answers(devices);
  expect(keptDevice).toContain(PLATES[1]);
  expect(keptShipment).toContain('João');

  await erase('erase', '--device', devices[0] ?? '');
  await erase('erase', '--shipment', NUMBERS[0]);
  await erase(
    'erase-driver', DRIVERS[0], '--type', 'van', '--client', CLIENT, '--provider', 'acme',
  );
  await keep();
  const erased = await answers(devices);
  expect(await foundBy(PLATES)).toEqual(devices);
  expect([erased[1], erased[3]]).toEqual([keptDevice, keptShipment]);
  expect(erased[0]).toContain('"external_entity":{"entity_id":"erased","entity_type":"van"}');

  for (const records of [allRecords(), compacted()]) {
    const { removed, before, after } = await rebuild(records);
    expect(removed).toBeGreaterThan(5);
    expect(after).toEqual(before);
    expect(await answers(devices)).toEqual(erased);
    expect(await foundBy(PLATES)).toEqual(devices);
  }
  // The log holds the post for its seven days; no reader of it brings the position back.
  expect(JSON.stringify(await states.dump()).split(String(LATITUDE))).toHaveLength(2);
  const state = JSON.stringify(await states.dump());
  expect([state.includes(DRIVERS[0]), state.includes(DRIVERS[1])]).toEqual([false, true]);
  expect(compacted().length).toBeLessThan(allRecords().length);
  const left = JSON.stringify([await states.dump(), erased[0], erased[2]])
    + log.appended.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
  for (const value of [PLATES[0], entityDigest('van', PLATES[0]), 'João']) {
    expect(left).not.toContain(value);
  }
});
