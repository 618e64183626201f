import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityHistories } from '../../support/arbitrary-facts.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { placed } from '../../support/state-facts.ts';

/** The store without what only a claim leaves. */
function stateOf({ store }: FakeStates): unknown {
  return [...store.ofKind('device'), ...store.ofKind('entity')]
    .map(({ key, fields }) => JSON.stringify([key, [...fields].sort()]))
    .sort();
}

describe('The facts of a device', () => {
  it('end in the same state in any order and however often they come', async () => {
    await fc.assert(fc.asyncProperty(entityHistories, async ({ events, shuffled }) => {
      const [inOrder, inDisorder] = [fakeStates(), fakeStates()];
      await inOrder.devices.apply(placed(events));
      for (const one of placed(shuffled)) await inDisorder.devices.apply([one]);
      expect(stateOf(inDisorder)).toEqual(stateOf(inOrder));
    }));
  });

  it('never lower a stage or a generation', async () => {
    await fc.assert(fc.asyncProperty(entityHistories, async ({ devices, shuffled }) => {
      const states = fakeStates();
      const stages = new Map<string, number>();
      let generation = 0;
      for (const one of placed(shuffled)) {
        await states.devices.apply([one]);
        for (const device of devices) {
          const { client_id, device_id } = device;
          const stage = (await states.devices.load(client_id, device_id))?.epoch ?? 0;
          expect(stage).toBeGreaterThanOrEqual(stages.get(device_id) ?? 0);
          stages.set(device_id, stage);
          const pointer = await states.devices.loadEntity(client_id, device.entity_hash);
          expect(pointer?.generation ?? 0).toBeGreaterThanOrEqual(generation);
          generation = pointer?.generation ?? 0;
        }
      }
    }));
  });
});
