import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { shardOf } from '../../services/kernel/shards.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';
import { aClient, aRegistration, placed, startOf, stopOf } from './state-facts.ts';

/** What every implementation of the port EntityDirectory must do. */
export function entityDirectorySuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => { states = await open({ claimLeaseMs: 5_000 }); });
  afterEach(() => states.close());

  const typesOf = (...clients: readonly ClientRecorded[]) => (
    states.entities.typesOf(clients.map(({ client_id }) => client_id)));
  const [mine, theirs] = [aClient(), aClient()];

  describe('the types of the entities of a client', () => {
    it('[DEV-36] are kept from the log, in any order, and from a confirmation', async () => {
      const [own, other] = [aClient(), aClient()];
      const device = aRegistration(own, { entity_type: 'van' });
      const facts = placed([
        aRegistration(own, { entity_type: 'truck' }), startOf(device),
        aRegistration(other, { entity_type: 'theirs' }), device,
      ]);
      expect(await typesOf(own, other)).toEqual([[], []]);
      await states.devices.claimRegistration(device, 'a');
      expect(await typesOf(own)).toEqual([[]]);
      await states.devices.confirm(device, 'a');
      expect(await typesOf(own)).toEqual([['van']]);
      await states.devices.apply(facts.toReversed());
      await states.devices.apply(facts);
      expect(await typesOf(own, other, own))
        .toEqual([['truck', 'van'], ['theirs'], ['truck', 'van']]);
      expect(await typesOf()).toEqual([]);
    });

    it('are the first ones in order, also of more than the most', async () => {
      const own = aClient();
      const types = Array.from({ length: 40 }, (_, at) => `type-${at + 10}`);
      for (const half of [types.slice(20), types.slice(0, 20)]) {
        await states.devices.apply(placed(half.map((entity_type) => (
          aRegistration(own, { entity_type })))));
      }
      expect(await typesOf(own)).toEqual([types.slice(0, 32)]);
    });
  });

  describe('the devices of entities', () => {
    it('[DEV-36] are found by hash and by id, under the client that is named alone', async () => {
      const device = aRegistration(mine);
      const next = { ...device, generation: 2, device_id: `${device.device_id}-2` };
      const foreign = aRegistration(theirs);
      await states.devices.apply(placed([device, startOf(device), stopOf(device), next, foreign]));
      const named = ({ client_id }: ClientRecorded, entityHash: string) => (
        { clientId: client_id, entityHash });
      expect(await states.entities.newest([
        named(mine, 'none'), named(mine, device.entity_hash), named(mine, foreign.entity_hash),
        named(theirs, device.entity_hash),
      ])).toEqual([undefined, { generation: 2, device_id: next.device_id }, undefined, undefined]);
      const ids = [next, foreign, { device_id: 'none' }, device];
      const found = await states.entities.devices(ids.map(({ device_id }) => (
        { clientId: mine.client_id, deviceId: device_id })));
      expect(found.map(({ device_id, epoch }) => [device_id, epoch]))
        .toEqual([[next.device_id, 1], [device.device_id, 3]]);
      expect(found[1]).toMatchObject({ started_at_ms: device.at_ms + 10 });
    });

    it('are none for another client of the same shard', async () => {
      let neighbour = aClient();
      while (shardOf(neighbour.client_id) !== shardOf(mine.client_id)) neighbour = aClient();
      const device = aRegistration(mine);
      await states.devices.apply(placed([device]));
      const asked = [{ clientId: neighbour.client_id, deviceId: device.device_id }];
      expect(await states.entities.devices(asked)).toEqual([]);
    });
  });

  it('refuses to answer without the ready mark', async () => {
    await states.wipe();
    const notReady = { code: 'state_not_ready' };
    const { entities } = states;
    await expect(entities.typesOf(['1'])).rejects.toMatchObject(notReady);
    await expect(entities.newest([{ clientId: '1', entityHash: 'h' }]))
      .rejects.toMatchObject(notReady);
    await expect(entities.devices([{ clientId: '1', deviceId: 'd' }]))
      .rejects.toMatchObject(notReady);
  });
}
