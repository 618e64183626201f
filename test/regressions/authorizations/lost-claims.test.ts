import { expect, it } from 'vitest';
import {
  authorizeShipment,
} from '../../../services/gateways/authorization/operations/authorize-shipment.ts';
import type { AuthorizationMove } from '../../../services/kernel/authorizations.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import type { RecordLog } from '../../../services/kernel/record-log.ts';
import { aRequest, placed } from '../../support/authorization-facts.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { sha256 } from '../../support/state-facts.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { atOnce } from '../../../services/kernel/steps.ts';

const NO_KEYS = {
  isErased: () => false, seal: () => undefined, sealLong: () => atOnce(undefined),
  open: () => undefined,
};
const BODY = aRequest({ id: 41, transport_order_id: 'order' });

function gateway(fake: MemoryStates, log: RecordLog, name: string): Operation {
  return authorizeShipment({
    raceWaitMsMax: 5_000, racePollMs: 1, carrierClientId: undefined, contractsRequiringAgency: [],
  }, {
    states: fake.authorizations, shipments: fake.shipments, log, clock: wallClock,
    pause: () => new Promise<void>((resolve) => { setImmediate(resolve); }),
    ids: { ingestId: () => name, nonce: () => name },
    personal: { forWriting: async () => NO_KEYS }, digest: sha256,
    numbers: sha256,
  });
}

async function numberFrom(operation: Operation, test: boolean): Promise<string> {
  const call = callOf({ body: { ...BODY, test }, params: { shipment_id: '41' } });
  const { body } = written(operation, await operation.handle(call));
  return String((body as { tracking_number?: string }).tracking_number);
}

const factsOf = ({ appended }: FakeRecordLog): AuthorizationMove[] =>
  appended.map(({ value }) => value as AuthorizationMove);

// Simulator, model authorizations: two numbers were answered for one transport order (I11).
it.each([
  ['the one whose claim was lost is first in the log', true],
  ['the one that came after the wipe is first in the log', false],
])('answers two calls around a wipe alike, when %s', async (_, isOldFirst) => {
  const fake = memoryStates();
  const slow = fakeRecordLog();
  slow.hold();
  const first = numberFrom(gateway(fake, slow, 'first'), false);
  await expect.poll(() => slow.held()).toBe(1);
  fake.wipe();
  fake.markReady();
  const quick = fakeRecordLog();
  const second = numberFrom(gateway(fake, quick, 'second'), true);
  await expect.poll(() => quick.appended.length).toBe(1);
  slow.release();
  await expect.poll(() => slow.appended.length).toBe(1);
  const [old, fresh] = [factsOf(slow), factsOf(quick)];
  // What the projector does.
  await fake.authorizations.apply(placed(isOldFirst ? [...old, ...fresh] : [...fresh, ...old]));
  const numbers = await Promise.all([first, second]);
  expect(numbers[0]).toMatch(isOldFirst ? /^RS/ : /^TEST/);
  expect(numbers[1]).toBe(numbers[0]);
});
