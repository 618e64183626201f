import { beforeEach, describe, expect, it } from 'vitest';
import { createKeyRing } from '../../../services/adapters/secrets/key-ring.ts';
import { createPersonalSeals } from '../../../services/adapters/secrets/personal-seals.ts';
import { sealFact, subjectsOf } from '../../../services/domain/authorization/sealed-facts.ts';
import { notificationRecorded } from '../../../services/domain/journey/notification.ts';
import { sealDeviceFact } from '../../../services/domain/device/sealed-device.ts';
import { deviceSubject, shipmentSubject } from '../../../services/kernel/personal.ts';
import { personCommand } from '../../../services/cli/person/command.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { driverHash, type DriverErased } from '../../../services/kernel/erased-drivers.ts';
import { keysFromLog } from '../../../services/cli/person/log.ts';
import type { GroupOffset } from '../../../services/kernel/log-watch.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { aCancellation, anAuthorization } from '../../support/authorization-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { PERSONAL_KEY } from '../../support/fake-personal.ts';
import { aClient, aRegistration } from '../../support/state-facts.ts';
import { aNotification } from '../../support/notifications.ts';

const NEWER = `k2:${Buffer.alloc(32, 9).toString('base64')}`;
const NUMBER = 'RS-TO-1-1';
const DRIVER = {
  client_id: '100000000000042', provider: 'acme', external_type: 'acme_driver',
  external_id: 'ana souza',
};
let log: FakeRecordLog;
let [erased, said]: [string[], string[]] = [[], []];
let happened: string[]; // What was done about positions, in order.
let nowMs: number;
let hasTables: boolean;
let hasImages: boolean;
let replicas: readonly string[] | undefined;
let offsets: (group: string) => readonly GroupOffset[];

/** The command line over what was appended so far, with a ring of keys. */
function run(keys: string, ...args: string[]) {
  const reader = {
    readToEnd: async (topics: readonly string[], use: (records: never) => Promise<void>) => {
      await use(topics.flatMap((topic) => log.of(topic).map(({ key, value, headers }, at) => (
        aLogRecord(topic, at, value, { key, headers })
      ))) as never);
    },
  };
  const clock = { nowMs: () => nowMs };
  const personal = createPersonalSeals(keys, { states: keysFromLog(reader), log, clock });
  const ports = {
    log, reader, clock, personal, keyRing: createKeyRing(keys),
    images: hasImages ? { erase: async (number: string) => { erased.push(number); } } : undefined,
    pause: async (ms: number) => { happened.push(`paused ${ms}`); },
    report: (line: string) => { said.push(line); },
    watch: { offsets: async (group: string) => offsets(group) },
    ...(hasTables ? { trackEraser: {
      erase: async (device: string, transports: readonly string[], untilMs: number) => {
        happened.push(`deleted ${device} ${transports.join()} ${untilMs}`);
        return 3;
      },
    }, driverEraser: {
      driversOf: async () => [DRIVER, { ...DRIVER, external_id: 'driver-8' }],
      traceablesOf: async () => Array.from({ length: 1_001 }, (_, at) => ({ type: 't', id: `${at}` })),
      erase: async ({ external_id }: { external_id: string }, untilMs: number) => {
        happened.push(`deleted ${external_id} ${untilMs}`);
        return 2;
      },
    } } : {}),
    replicas, digest: sha256, ids: { nonce: () => 'c'.repeat(32) },
  };
  return { personal, report: () => personCommand(ports as unknown as OperatorPorts, args) };
}

/** A shipment that was authorized, cancelled and notified, by name. */
async function appendHistory(): Promise<void> {
  const { personal } = run(PERSONAL_KEY);
  const facts = [anAuthorization('to-1'), aCancellation('to-1', 1, { reason: 'Ana Souza moved' })];
  const keys = await personal.forWriting(
    [...facts.flatMap(subjectsOf), shipmentSubject(NUMBER)], 0,
  );
  for (const fact of facts) {
    const value = Buffer.from(JSON.stringify(sealFact(keys, fact)));
    await log.append({ topic: 'shipment.authorizations.v1', key: 'to-1', value, headers: {} }, 0);
  }
  const notification = { ...aNotification('0133'), tracking_number: NUMBER };
  const recorded = notificationRecorded(keys, NUMBER, notification as never, {});
  await log.append({
    topic: 'shipment.notifications.v1', key: NUMBER, headers: {},
    value: Buffer.from(JSON.stringify(recorded)),
  }, 0);
}

beforeEach(async () => {
  [log, nowMs] = [fakeRecordLog(), 7];
  [erased, happened, said] = [[], [], []];
  [hasTables, hasImages] = [true, true];
  replicas = undefined;
  offsets = () => [];
  await appendHistory();
});

/** A device that was registered twice; `erase` erases it by its second id. */
async function twoLives() {
  const client = aClient();
  const first = aRegistration(client, { device_id: 'd1', transport_id: 10 });
  const lives = [first, { ...first, device_id: 'd2', generation: 2 }];
  for (const fact of [...lives, { ...first, transport_id: 11 }, aRegistration(client, { device_id: 'd3' })]) {
    await log.append({
      topic: 'rtt.device-lifecycle.v1', key: fact.device_id, headers: {},
      value: Buffer.from(JSON.stringify(fact)),
    }, 0);
  }
  return {
    lives: lives.map(({ device_id, client_id }, at) => (
      { device_id, client_id, transport_ids: at === 0 ? ['10', '11'] : ['10'] }
    )),
    erase: () => run(PERSONAL_KEY, 'erase', '--device', 'd2').report(),
    tracks: () => log.of('personal.erased-tracks.v1').map(({ value }) => value),
  };
}

describe('rastro person', () => {
  it('show opens everything about a shipment, of which nothing lies open in the log', async () => {
    for (const { bytes } of log.appended) {
      expect(Buffer.from(bytes).toString()).not.toMatch(/Souza|João/);
    }
    const shown = JSON.stringify(await run(PERSONAL_KEY, 'show', '--shipment', NUMBER).report());
    expect(shown).toMatch(/Souza.*moved.*João/);
  });

  it('erase makes it unreadable permanently, its pictures too, and leaves the rest', async () => {
    const { value } = await run(PERSONAL_KEY, 'erase', '--shipment', NUMBER).report();
    expect(value).toEqual({
      erased: [shipmentSubject(NUMBER)], keys_dropped: 1, images_erased: true,
      tracks_erased: 0, rows_deleted: 0, left: [],
    });
    expect(erased).toEqual([NUMBER]);
    const shown = await run(PERSONAL_KEY, 'show', '--shipment', NUMBER).report();
    expect(JSON.stringify(shown)).not.toMatch(/Souza|João/);
    const { records } = shown.value as { records: { fact: { type: string } }[] };
    expect(records.map(({ fact }) => fact.type).sort())
      .toEqual(['NotificationRecorded', 'ShipmentAuthorized', 'ShipmentCancelled']);
    const again = await run(PERSONAL_KEY, 'erase', '--shipment', NUMBER).report();
    expect(again.value).toMatchObject({ keys_dropped: 0 });
    // The wrapped key went from its own place, where compaction will find nothing else.
    const offsets = log.of('personal.keys.v1').map(({ key, value: fact }) => [
      key.includes('|') ? 'key' : 'subject', (fact as { type: string }).type,
    ]);
    expect(offsets.slice(0, 3)).toEqual([
      ['key', 'PersonalKeyRecorded'], ['subject', 'PersonalErased'], ['key', 'PersonalKeyDropped'],
    ]);
  });

  it('shows and erases every life of a device, and nothing of another one', async () => {
    const { personal } = run(PERSONAL_KEY);
    const client = aClient();
    const specs = { device_specs: { equipment_id: 'IMEI-7' } };
    const first = aRegistration(client, { entity_id: 'B-XY 123', device_id: 'd1', ...specs });
    const second = { ...first, device_id: 'd2', generation: 2 };
    const other = aRegistration(client, { entity_id: 'B-AB 7', device_id: 'd3' });
    const clear = aRegistration(client, { entity_id: 'B-OLD 1', device_id: 'd4' });
    const keys = await personal.forWriting(['d1', 'd2', 'd3'].map(deviceSubject), 0);
    const facts = [...[first, second, other].map((fact) => sealDeviceFact(keys, fact)), clear];
    for (const fact of facts) {
      await log.append({
        topic: 'rtt.device-lifecycle.v1', key: fact.device_id, headers: {},
        value: Buffer.from(JSON.stringify(fact)),
      }, 0);
    }
    const shown = async (id: string) =>
      JSON.stringify((await run(PERSONAL_KEY, 'show', '--device', id).report()).value);
    expect((await shown('d2')).match(/B-XY 123|IMEI-7/g)).toHaveLength(4);
    expect((await run(PERSONAL_KEY, 'erase', '--device', 'd2').report()).value)
      .toMatchObject({ erased: [deviceSubject('d2'), deviceSubject('d1')], keys_dropped: 2 });
    expect(erased).toEqual([]);
    expect(await shown('d1')).not.toMatch(/B-XY|IMEI/);
    expect(await shown('d3')).toContain('B-AB 7');
    expect(await shown('d4')).toContain('B-OLD 1');
  });

  it('erase of a shipment ends with 1 where pictures of it are left', async () => {
    hasImages = false;
    const { exitCode, lines } = await run(PERSONAL_KEY, 'erase', '--shipment', NUMBER).report();
    expect([exitCode, lines.at(-1)]).toEqual([1, expect.stringContaining('Pictures may be left')]);
  });

  it.each([
    ['show', '--shipment', 'RS-TO-1-2'], ['show', '--device', 'd9'],
    ['erase', '--shipment', 'RS-TO-1-2'], ['erase', '--device', 'd9'],
  ])('%s %s %s ends with 3 and denies nothing, because the log does not know it', async (...args) => {
    const { length } = log.appended;
    expect(await run(PERSONAL_KEY, ...args).report())
      .toMatchObject({ exitCode: 3, lines: [expect.stringContaining('holds nothing about')] });
    expect([log.appended.length, erased]).toEqual([length, []]);
  });

  it('erase counts a key that the projector dropped first, and show says what is left', async () => {
    const append = log.append;
    log.append = async (entry, deadlineMs) => {
      await append(entry, deadlineMs);
      const fact = JSON.parse(String(entry.value)) as { type: string };
      if (fact.type !== 'PersonalErased') return;
      const { key } = log.of('personal.keys.v1')[0]!;
      await append({ ...entry, key, value: Buffer.from(JSON.stringify({
        type: 'PersonalKeyDropped', subject: entry.key, key_id: key.split('|')[1], at_ms: 7,
      })) }, deadlineMs);
    };
    expect((await run(PERSONAL_KEY, 'erase', '--shipment', NUMBER).report()).value)
      .toMatchObject({ keys_dropped: 1 });
    expect((await run(PERSONAL_KEY, 'show', '--shipment', NUMBER).report()).lines).toContain(
      `shipment:${NUMBER} was erased at 1970-01-01T00:00:00.007Z; 0 of its keys are left.`,
    );
    nowMs = 9;
    const again = await run(PERSONAL_KEY, 'erase', '--shipment', NUMBER).report();
    expect(again.lines.join()).toContain('was erased before, at 1970-01-01T00:00:00.007Z.');
    expect((await run(PERSONAL_KEY, 'show', '--shipment', NUMBER).report()).lines.join())
      .toContain('erased at 1970-01-01T00:00:00.007Z');
  });

  it('[GEN-57] erase says in the log which positions are gone, then deletes them in the tables', async () => {
    const { lives, erase, tracks } = await twoLives();
    const next = [3n, 4n, 5n];
    offsets = (group) => {
      happened.push(`asked ${group}`);
      const at = { topic: 'rtt.locations.v1', partition: 0, start: 0n, next: next.shift() ?? 5n };
      return [{ ...at, end: 5n }];
    };
    expect(await erase()).toMatchObject({
      exitCode: 0, value: { tracks_erased: 2, rows_deleted: 6, left: [] },
    });
    expect(tracks()).toEqual(lives.map((life) => (
      { type: 'TrackErased', ...life, received_until_ms: 7 }
    )));
    expect(said).toEqual(['Waiting until the tables have all that came before …', '']);
    expect(happened).toEqual([
      'paused 10000', ...Array.from({ length: 2 }, () => 'asked rastro.table-writer'), 'paused 500',
      'asked rastro.table-writer', 'asked rastro.table-writer.overflow',
      'asked rastro.table-writer.overflow', 'deleted d1 10,11 7', 'deleted d2 10 7',
    ]);
    happened = [];
    offsets = () => [];
    expect(await run(PERSONAL_KEY, 'reapply').report()).toMatchObject({
      exitCode: 0, value: { tracks_erased: 2, rows_deleted: 6 },
    });
    expect(happened).toEqual(['paused 10000', 'deleted d1 10,11 7', 'deleted d2 10 7']);
  });

  it('[GEN-65] erase waits for the writers of every replica, and for none that is not named', async () => {
    const { erase } = await twoLives();
    const asked = new Set<string>();
    offsets = (group) => { asked.add(group); return []; };
    replicas = ['b'];
    expect(await erase()).toMatchObject({ exitCode: 0 });
    expect([...asked]).toEqual([
      'rastro.table-writer', 'rastro.table-writer.overflow',
      'rastro.table-writer@b', 'rastro.table-writer.overflow@b',
    ]);
  });

  it('[GEN-57] erase says what is left where it does not reach the tables', async () => {
    const { erase, tracks } = await twoLives();
    hasTables = false;
    const { exitCode, lines } = await erase();
    expect([exitCode, lines.at(-1)]).toEqual([1, expect.stringContaining('CLICKHOUSE_URL')]);
    expect(tracks()).toHaveLength(2);
  });

  it('[GEN-62] erase-driver says it in the log by a hash alone, then deletes', async () => {
    const { external_id, external_type, client_id, provider } = DRIVER;
    expect(await run(
      PERSONAL_KEY, 'erase-driver', external_id, '--type', external_type, '--client', client_id,
      '--provider', provider,
    ).report()).toMatchObject({ exitCode: 0, value: { rows_deleted: 2, left: [] } });
    const facts = log.of('personal.erased-drivers.v1');
    expect(facts.map(({ key, value }) => [
      key.slice(64), (value as DriverErased).traceables?.length,
    ])).toEqual([['', undefined], ['|0', 1_000], ['|1000', 1]]);
    expect(facts.map(({ value }) => value)).toMatchObject(facts.map(() => ({
      client_id, provider, received_until_ms: 7,
      driver_hash: driverHash(sha256, 'c'.repeat(32), DRIVER),
    })));
    expect(JSON.stringify(facts)).not.toMatch(/souza|acme_driver/);
    expect([happened.at(0), happened.at(-1)]).toEqual(['paused 10000', `deleted ${external_id} 7`]);
    happened = [];
    expect(await run(PERSONAL_KEY, 'reapply').report())
      .toMatchObject({ value: { drivers_erased: 1, rows_deleted: 2 } });
    expect(happened.filter((each) => each.startsWith('deleted'))).toEqual([`deleted ${external_id} 7`]);
  });

  it('rewrap lets the old key be taken away', async () => {
    const { value } = await run(`${NEWER},${PERSONAL_KEY}`, 'rewrap').report();
    expect(value).toEqual({ rewrapped: 1, by: 'k2' });
    const shown = await run(NEWER, 'show', '--shipment', NUMBER).report();
    expect(JSON.stringify(shown)).toContain('Souza');
  });

  it('asks whom it is about', async () => {
    const both = ['show', '--shipment', 'a', '--device', 'b'];
    for (const args of [['show'], ['erase'], ['x', '--shipment', 'a'], both]) {
      expect((await run(PERSONAL_KEY, ...args).report()).exitCode).toBe(2);
    }
  });
});
