import { expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { registerDevice } from '../../../services/gateways/devices/operations/register-device.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import type { RecordLog } from '../../../services/kernel/record-log.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { atOnce } from '../../../services/kernel/steps.ts';

const BODY = { external_entity: { entity_type: 'van', entity_id: 'v' }, transport: { id: 7 } };

const NO_KEYS = {
  isErased: () => false, seal: () => undefined, sealLong: () => atOnce(undefined),
  open: () => undefined,
};

function gateway(states: FakeStates, log: RecordLog, name: string): Operation {
  const ports = {
    states: states.devices, log, clock: wallClock,
    pause: () => new Promise<void>((resolve) => { setImmediate(resolve); }),
    ids: { ingestId: () => name, nonce: () => name },
    personal: { forWriting: async () => NO_KEYS, forReading: async () => NO_KEYS },
    keyed: sha256,
  };
  return registerDevice({ raceWaitMsMax: 2_000, racePollMs: 1 }, ports);
}

const registering = async (operation: Operation): Promise<number> =>
  written(operation, await operation.handle(callOf({ body: BODY }))).status;

// Simulator, model devices: two calls were answered that they had created one device (I4).
it('answers one call of two that it created the device, when a wipe takes the first claim', async () => {
  const states = fakeStates();
  const slow = fakeRecordLog();
  slow.hold();
  const first = gateway(states, slow, 'first');
  const answered = registering(first);
  await expect.poll(() => slow.held()).toBe(1);
  states.wipe();
  states.setReady(true);
  const second = gateway(states, fakeRecordLog(), 'second');
  expect(await registering(second)).toBe(201);
  slow.release();
  expect(await answered).toBe(208);
});
