import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entityHistories } from '../../support/arbitrary-facts.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { logRecordId } from '../../support/state-facts.ts';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';
import type { RecordId } from '../../../services/kernel/record-id.ts';

describe('The facts of a device in Redis', () => {
  let states: OpenedRedis;
  beforeAll(async () => { states = await openRedisStates(); });
  afterAll(() => states.close());

  it('end in the same hashes in any order and however often they come', async () => {
    await fc.assert(fc.asyncProperty(entityHistories, async ({ events, shuffled }) => {
      // A fact keeps its place in the log, whenever it is applied.
      const places = new Map(events.map((event, i) => [event, logRecordId(7 + i)]));
      const withRecordId = (event: DeviceEvent): { event: DeviceEvent; recordId: RecordId } => (
        { event, recordId: places.get(event)! }
      );
      await states.wipe();
      await states.devices.apply(events.map(withRecordId));
      const inOrder = await states.dump();
      await states.wipe();
      for (const event of shuffled) await states.devices.apply([withRecordId(event)]);
      expect(await states.dump()).toEqual(inOrder);
    }), { numRuns: 60 });
  });

  it('answer like the store in memory', async () => {
    const { fakeStates } = await import('../../support/fake-states.ts');
    await fc.assert(fc.asyncProperty(entityHistories, async ({ devices, shuffled }) => {
      const fake = fakeStates();
      const facts = shuffled.map((event, i) => ({ event, recordId: logRecordId(i) }));
      await Promise.all([states.devices.apply(facts), fake.devices.apply(facts)]);
      await states.readiness.claimRebuild('test', 5_000);
      await states.readiness.markReady('test');
      for (const { client_id, device_id } of devices) {
        expect(await states.devices.load(client_id, device_id))
          .toEqual(await fake.devices.load(client_id, device_id));
      }
    }), { numRuns: 30 });
  });
});
