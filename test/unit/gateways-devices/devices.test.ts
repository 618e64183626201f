import { beforeEach, describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { registerDevice } from '../../../services/gateways/devices/operations/register-device.ts';
import { moveDeviceOperations } from '../../../services/gateways/devices/operations/move-device.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { deviceSubject, type PersonalKeyStates } from '../../../services/kernel/personal.ts';
import { callOf, written, type CallWishes } from '../../support/calls.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakePersonal, fakePersonalKeys } from '../../support/fake-personal.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';

const BODY = {
  external_entity: { entity_id: 'plate-AB123CD', entity_type: 'van' },
  transport: { id: 42 },
  device_specs: { device_type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'equipment-of-ACME' },
};

const PERSONAL = ['plate-AB123CD', 'equipment-of-ACME'];

let log: FakeRecordLog;
let personalKeys: PersonalKeyStates;
let states: FakeStates;
let operations: Record<string, Operation>;
let nonce = 0;

beforeEach(() => {
  log = fakeRecordLog();
  personalKeys = fakePersonalKeys();
  states = fakeStates();
  operations = Object.fromEntries(operationsOver(personalKeys).map((each) => [each.id, each]));
});

function operationsOver(keys: PersonalKeyStates): readonly Operation[] {
  const config = { raceWaitMsMax: 1_000, racePollMs: 1 };
  const ports = {
    states: states.devices, log, personal: fakePersonal(keys, log),
    keyed: (text: string) => keyedSecrets('pepper-for-tests').hash(text),
    clock: { nowMs: () => Date.now() },
    pause: (ms: number) => new Promise<void>((resolve) => { setTimeout(resolve, ms); }),
    ids: { ingestId: () => 'i', nonce: () => `claim-${nonce++}` },
  };
  return [registerDevice(config, ports), ...moveDeviceOperations(config, ports)];
}

async function ask(id: string, wishes: CallWishes) {
  const operation = operations[id];
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return written(operation, await operation.handle(callOf(wishes)));
}

const register = (wishes: CallWishes = {}) => ask('register-device', { body: BODY, ...wishes });
const start = (device_id: unknown, wishes: CallWishes = {}) =>
  ask('start-device-tracking', { params: { device_id: String(device_id) }, ...wishes });
const stop = (device_id: unknown, wishes: CallWishes = {}) =>
  ask('stop-device-tracking', { params: { device_id: String(device_id) }, ...wishes });
const byEntity = (verb: 'start' | 'stop', entity_id = 'plate-AB123CD') =>
  ask(`${verb}-device-tracking-by-entity`, {
    query: { external_entity_id: entity_id, external_entity_type: 'van' },
  });

describe('registration', () => {
  it('[DEV-01] [DEV-02] [DEV-03] [DEV-05] [DEV-06] answers 201 with the device', async () => {
    const { status, body } = await register();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      owner_id: 'user-100000000000001', client_id: 100000000000001, status: 'active',
      external_entity: { entity_id: 'plate-AB123CD', entity_type: 'van' }, transport: { id: 42 },
      device_specs: { type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'equipment-of-ACME' },
    });
    expect(log.of('rtt.device-lifecycle.v1')).toHaveLength(1);
  });

  it('[DEV-07] gives its history as ISO dates, under both names of the status update', async () => {
    const { body } = await register();
    const history = body['history'] as Record<string, string>;
    expect(history['last_status_updated']).toBe(history['last_status_update']);
    for (const name of ['date_created', 'last_updated', 'last_status_update']) {
      expect(history[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  it('[DEV-10] [DEV-12] needs no specs, and any entity type will do', async () => {
    const body = { external_entity: { entity_id: 'x', entity_type: 'kite' }, transport: { id: 1 } };
    expect((await register({ body })).status).toBe(201);
  });

  it('[DEV-14] [DEV-15] again while active answers 208 with the same device', async () => {
    const first = await register();
    const again = await register({ body: { ...BODY, transport: { id: 99 }, device_specs: {} } });
    expect(again.status).toBe(208);
    expect(again.body).toEqual(first.body);
  });

  it('[DEV-13] lets one transport have several devices, each with its own id', async () => {
    const other = { ...BODY, external_entity: { entity_id: 'V-2', entity_type: 'van' } };
    expect((await register()).body['id']).not.toBe((await register({ body: other })).body['id']);
  });

  it('[DEV-16] at the same time creates one device: one 201, the others 208', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register()));
    const statuses = answers.map((each) => each.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 208)).toHaveLength(19);
    expect(new Set(answers.map((each) => each.body['id'])).size).toBe(1);
  });

  it('[DEV-17] after the stop gives a new id', async () => {
    const { body } = await register();
    await stop(body['id']);
    const second = await register();
    expect(second.status).toBe(201);
    expect(second.body['id']).not.toBe(body['id']);
  });

  it('[DEV-18] derives the id from owner, type, entity and generation', async () => {
    const first = (await register()).body['id'];
    states.wipe();
    states.setReady(true);
    expect((await register()).body['id']).toBe(first);
    expect((await register({ clientId: '100000000000002' })).body['id']).not.toBe(first);
  });

  it('[GEN-02] [GEN-03] fails as a fault, not as a refusal, without the log or the store', async () => {
    log.failWith('log_unavailable', 1);
    await expect(register()).rejects.toMatchObject({ code: 'log_unavailable' });
    expect((await register()).status).toBe(201);
    states.failWith('state_unavailable');
    await expect(register()).rejects.toMatchObject({ code: 'state_unavailable' });
  });
});

describe('start and stop', () => {
  it('[DEV-22] [DEV-24] answer 200 once and then 208 with the same device', async () => {
    const id = (await register()).body['id'];
    const first = await start(id);
    const second = await start(id);
    expect([first.status, second.status]).toEqual([200, 208]);
    expect(second.body).toEqual(first.body);
  });

  it('[DEV-25] at the same time give one 200, the others 208', async () => {
    const id = (await register()).body['id'];
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(id)));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(answers.filter((each) => each.status === 208)).toHaveLength(19);
  });

  it('[DEV-26] [DEV-04] [DEV-27] make the device inactive', async () => {
    const id = (await register()).body['id'];
    const first = await stop(id);
    expect(first).toMatchObject({ status: 200, body: { status: 'inactive' } });
    const again = await stop(id);
    expect(again).toMatchObject({ status: 208, body: first.body });
  });

  it('[DEV-28] start after stop answers 404', async () => {
    const id = (await register()).body['id'];
    await stop(id);
    expect((await start(id)).status).toBe(404);
  });

  it('[DEV-29] [DEV-30] of a foreign device are answered like those of a missing one', async () => {
    const id = (await register()).body['id'];
    const foreign = await start(id, { clientId: '100000000000002' });
    const missing = await start('no-such-device');
    expect(foreign).toEqual(missing);
    expect(foreign.status).toBe(404);
    expect((await stop(id, { clientId: '100000000000002' })).status).toBe(404);
  });

  it('[DEV-31] [DEV-33] by entity act on the newest device, and stop again is 208', async () => {
    const id = (await register()).body['id'];
    expect(await byEntity('start')).toMatchObject({ status: 200, body: { id } });
    expect((await byEntity('stop')).status).toBe(200);
    expect((await byEntity('stop')).status).toBe(208);
  });

  it('[DEV-32] [DEV-33] by entity answer 404 when it was never registered or is stopped', async () => {
    expect((await byEntity('start', 'nobody')).status).toBe(404);
    expect((await byEntity('stop', 'nobody')).status).toBe(404);
    await register();
    await byEntity('stop');
    expect((await byEntity('start')).status).toBe(404);
  });

  it('a stop whose append fails keeps denying, and stopping again brings it into the log', async () => {
    const id = String((await register()).body['id']);
    await start(id);
    log.failWith('log_unavailable', 1);
    await expect(stop(id)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect((await start(id)).status).toBe(404);
    expect((await stop(id)).status).toBe(200);
    const types = log.of('rtt.device-lifecycle.v1').map(({ value }) => (value as { type: string }).type);
    expect(types.filter((type) => type === 'DeviceTrackingStopped')).toHaveLength(1);
  });
});

describe('what names the entity and the equipment of a device', () => {
  const external_entity = { entity_id: 'plate-AB123CD', entity_type: 'van' };

  it('is nowhere in clear in the log, and comes back in every answer', async () => {
    const { body } = await register();
    const answers = [
      await register(), await start(body['id']), await byEntity('start'), await byEntity('stop'),
    ];
    for (const answer of answers) {
      expect(answer.body).toMatchObject({
        external_entity, device_specs: { equipment_id: 'equipment-of-ACME', brand: 'Acme' },
      });
    }
    expect(log.appended.length).toBeGreaterThan(2);
    for (const { bytes } of log.appended) {
      for (const value of PERSONAL) expect(Buffer.from(bytes).toString()).not.toContain(value);
    }
    const [record] = log.of('rtt.device-lifecycle.v1');
    expect(record?.value).toMatchObject({ device_specs: { brand: 'Acme', model: 'M1' } });
  });

  it('keeps a keyed hash of the entity, that another pepper makes another one', async () => {
    await register();
    const [record] = log.of('rtt.device-lifecycle.v1');
    const { entity_hash, device_id } = record?.value as Record<string, string>;
    const named = JSON.stringify(['entity', '100000000000001', 'van', 'plate-AB123CD']);
    expect(entity_hash).toBe(keyedSecrets('pepper-for-tests').hash(named));
    expect(entity_hash).not.toBe(keyedSecrets('another-pepper').hash(named));
    const life = JSON.stringify(['device', entity_hash, 1]);
    const [first = ''] = String(device_id).split('-');
    expect(keyedSecrets('pepper-for-tests').hash(life).startsWith(first)).toBe(true);
    expect(keyedSecrets('another-pepper').hash(life).startsWith(first)).toBe(false);
  });

  it('is in no answer any more after an erasure, and the device goes on', async () => {
    const id = String((await register()).body['id']);
    await personalKeys.apply([{ type: 'PersonalErased', subject: deviceSubject(id), at_ms: 1 }]);
    for (const answer of [await start(id), await register(), await stop(id)]) {
      expect(answer.body).toMatchObject({
        id, external_entity: { entity_id: 'erased', entity_type: 'van' },
        device_specs: { type: 'GPS', brand: 'Acme', model: 'M1' },
      });
      expect(answer.body['device_specs']).not.toHaveProperty('equipment_id');
    }
    // Its next life is another device, with a key of its own.
    expect((await register()).body).toMatchObject({ external_entity });
  });

  it('is a fault where its key cannot be had, never a part of the answer', async () => {
    await register();
    personalKeys = fakePersonalKeys();
    const [operation] = operationsOver(personalKeys);
    const again = operation?.handle(callOf({ body: BODY }));
    await expect(again).rejects.toMatchObject({ code: 'personal_key_unavailable' });
  });
});
