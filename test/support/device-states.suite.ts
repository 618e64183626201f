import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shardOf } from '../../services/kernel/shards.ts';
import type { DeviceCursor, DeviceRegistered } from '../../services/kernel/devices.ts';
import {
  aClient, aRegistration, newClientId, placed, startOf, stopOf,
} from './state-facts.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

/** What every implementation of the port DeviceStates must do. */
export function deviceStatesSuite(open: OpenStates): void {
  const client = aClient();
  let states: OpenedStates;
  beforeEach(async () => { states = await open({ claimLeaseMs: 5_000 }); });
  afterEach(() => states.close());

  async function registered(change = {}): Promise<ReturnType<typeof aRegistration>> {
    const device = aRegistration(client, change);
    await states.devices.apply(placed([device]));
    return device;
  }

  describe('registering', () => {
    it('shows a device only from its confirmation on', async () => {
      const device = aRegistration(client);
      expect(await states.devices.claimRegistration(device, 'a')).toBe('taken');
      expect(await states.devices.load(client.client_id, device.device_id)).toBeUndefined();
      const entity = [client.client_id, device.entity_hash] as const;
      expect(await states.devices.loadEntity(...entity)).toBeUndefined();

      await states.devices.confirm(device, 'a');
      expect(await states.devices.loadEntity(...entity))
        .toEqual({ generation: 1, device_id: device.device_id });
      expect(await states.devices.load(client.client_id, device.device_id)).toEqual({
        device_id: device.device_id, client_id: client.client_id, user_id: client.user_id,
        entity_type: device.entity_type, entity_id: device.entity_id, generation: 1,
        transport_id: device.transport_id, device_specs: device.device_specs, epoch: 1,
        date_created_ms: device.at_ms, last_updated_ms: device.at_ms,
        last_status_updated_ms: device.at_ms,
      });
    });

    it('lets one of many claims through while it is held', async () => {
      const device = aRegistration(client);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (
        states.devices.claimRegistration(device, `claim-${i}`)
      )));
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'busy')).toHaveLength(19);
    });

    it('says moved for a generation that exists, and for one too far', async () => {
      const device = await registered();
      expect(await states.devices.claimRegistration(device, 'a')).toBe('moved');
      const far = { ...device, generation: 3, device_id: 'far' };
      expect(await states.devices.claimRegistration(far, 'a')).toBe('moved');
    });

    it('opens the next generation only after the stop is in the log', async () => {
      const device = await registered();
      const next = { ...device, generation: 2, device_id: `${device.device_id}-2` };
      expect(await states.devices.claimRegistration(next, 'n')).toBe('moved');
      expect(await states.devices.claimTransition(stopOf(device), 1, 's')).toBe('taken');
      expect(await states.devices.claimRegistration(next, 'n')).toBe('busy');
      await states.devices.confirm(stopOf(device), 's');
      expect(await states.devices.claimRegistration(next, 'n')).toBe('taken');
      await states.devices.confirm(next, 'n');
      expect(await states.devices.loadEntity(client.client_id, device.entity_hash))
        .toEqual({ generation: 2, device_id: next.device_id });
      expect((await states.devices.load(client.client_id, device.device_id))?.epoch).toBe(3);
    });

    it('gives a released claim to the next one at once', async () => {
      const device = aRegistration(client);
      expect(await states.devices.claimRegistration(device, 'a')).toBe('taken');
      await states.devices.release(device, 'another');
      expect(await states.devices.claimRegistration(device, 'b')).toBe('busy');
      await states.devices.release(device, 'a');
      expect(await states.devices.claimRegistration(device, 'b')).toBe('taken');
    });
  });

  describe('what of a registration is personal', () => {
    const personal = { key: 'k', sealed: 'sealed', mac: 'mac' };

    it('stays sealed, and its entity is found by the keyed hash alone', async () => {
      const { entity_id: _, ...device } = aRegistration(client, { personal });
      await states.devices.apply(placed([device]));
      const found = await states.devices.load(client.client_id, device.device_id);
      expect(found?.personal).toEqual(personal);
      expect(found).not.toHaveProperty('entity_id');
      expect(await states.devices.loadEntity(client.client_id, device.entity_hash))
        .toEqual({ generation: 1, device_id: device.device_id });
    });

    it('ends the same in either order, also for two seals of one millisecond', async () => {
      const { entity_id: _, ...one } = aRegistration(client, { personal });
      const two = { ...one, personal: { ...personal, sealed: 'again' } };
      await states.devices.apply(placed([one, two]));
      const first = await states.devices.load(client.client_id, one.device_id);
      const other = { ...one, device_id: `${one.device_id}-x`, generation: 2 };
      await states.devices.apply(placed([{ ...other, personal: two.personal }, other]));
      const second = await states.devices.load(client.client_id, other.device_id);
      expect(second?.personal).toEqual(first?.personal);
    });
  });

  describe('starting and stopping', () => {
    it('makes a start visible when it is confirmed', async () => {
      const device = await registered();
      expect(await states.devices.claimTransition(startOf(device), 1, 'a')).toBe('taken');
      expect((await states.devices.load(client.client_id, device.device_id))?.epoch).toBe(1);
      await states.devices.confirm(startOf(device), 'a');
      await states.devices.confirm(startOf(device), 'a');
      const after = await states.devices.load(client.client_id, device.device_id);
      expect(after).toMatchObject({
        epoch: 2, last_updated_ms: device.at_ms + 10, last_status_updated_ms: device.at_ms,
      });
      expect(await states.devices.claimTransition(startOf(device), 1, 'b')).toBe('moved');
    });

    it('keeps a stop that is not in the log yet apart, and lets it be claimed again', async () => {
      const device = await registered();
      await states.devices.apply(placed([startOf(device)], 1));
      expect(await states.devices.claimTransition(stopOf(device), 2, 'a')).toBe('taken');
      expect(await states.devices.load(client.client_id, device.device_id))
        .toMatchObject({ epoch: 2, stop_unconfirmed: true, last_updated_ms: device.at_ms + 10 });
      expect(await states.devices.claimTransition(stopOf(device), 2, 'b')).toBe('busy');
      await states.devices.release(stopOf(device), 'a');
      expect(await states.devices.load(client.client_id, device.device_id))
        .toMatchObject({ epoch: 2, stop_unconfirmed: true });
      expect(await states.devices.claimTransition(startOf(device), 2, 'b')).toBe('busy');
      expect(await states.devices.claimTransition(stopOf(device), 3, 'b')).toBe('taken');
      expect(await states.devices.claimTransition(stopOf(device), 2, 'b')).toBe('taken');
      await states.devices.confirm(stopOf(device), 'b');
      const after = await states.devices.load(client.client_id, device.device_id);
      expect(after).toMatchObject({ epoch: 3, last_status_updated_ms: device.at_ms + 20 });
      expect(after).not.toHaveProperty('stop_unconfirmed');
      expect(await states.devices.claimTransition(stopOf(device), 3, 'c')).toBe('moved');
    });

    it('never raises a stopped device again', async () => {
      const device = await registered();
      await states.devices.apply(placed([stopOf(device), startOf(device)], 1));
      expect((await states.devices.load(client.client_id, device.device_id))?.epoch).toBe(3);
      expect(await states.devices.claimTransition(startOf(device), 1, 'a')).toBe('moved');
    });

    it('[DEV-30] treats the device of another client like none', async () => {
      const device = await registered();
      const other = aClient();
      expect(await states.devices.load(other.client_id, device.device_id)).toBeUndefined();
      const foreign = { ...stopOf(device), client_id: other.client_id };
      expect(await states.devices.claimTransition(foreign, 1, 'a')).toBe('moved');
      expect((await states.devices.load(client.client_id, device.device_id))?.epoch).toBe(1);
    });

    it('says moved for a device that was not registered', async () => {
      const device = aRegistration(client);
      expect(await states.devices.claimTransition(startOf(device), 1, 'a')).toBe('moved');
    });

    it('frees a claim when its fact comes out of the log', async () => {
      const device = await registered();
      expect(await states.devices.claimTransition(startOf(device), 1, 'died')).toBe('taken');
      await states.devices.apply(placed([startOf(device)], 1));
      expect(await states.devices.claimTransition(stopOf(device), 2, 'b')).toBe('taken');
    });
  });

  describe('leases', () => {
    it('answers to a confirmation whether the claim was still held', async () => {
      const device = aRegistration(client);
      expect(await states.devices.claimRegistration(device, 'a')).toBe('taken');
      await states.devices.apply(placed([device]));
      expect(await states.devices.confirm(device, 'b')).toBe(false);
      expect(await states.devices.confirm(device, 'a')).toBe(true);
      expect(await states.devices.confirm(device, 'a')).toBe(false);
      expect(await states.devices.claimTransition(stopOf(device), 1, 'c')).toBe('taken');
      await states.devices.release(stopOf(device), 'c');
      expect(await states.devices.confirm(stopOf(device), 'c')).toBe(false);
    });

    it('lets the next caller take an expired claim over', async () => {
      const short = await open({ claimLeaseMs: 50 });
      const device = aRegistration(client);
      expect(await short.devices.claimRegistration(device, 'died')).toBe('taken');
      await vi.waitFor(async () => {
        expect(await short.devices.claimRegistration(device, 'next')).toBe('taken');
      });
      await short.devices.apply(placed([device]));
      expect(await short.devices.claimTransition(stopOf(device), 1, 'died')).toBe('taken');
      await vi.waitFor(async () => {
        expect(await short.devices.claimTransition(stopOf(device), 1, 'next')).toBe('taken');
      });
      await short.close();
    });
  });

  describe('of all clients', () => {
    const other = aClient();

    it('[PLT-02] finds the devices of a transport, whose ever they are, the newest first', async () => {
      const transport_id = Number(newClientId());
      const devices = [client, other, client].map((owner, at) => (
        aRegistration(owner, { transport_id, at_ms: 1_764_000_000_000 + (at === 2 ? 1 : at) })
      ));
      type Three = readonly [DeviceRegistered, DeviceRegistered, DeviceRegistered];
      const [first, second, third] = devices as unknown as Three;
      await states.devices.apply(placed([
        ...devices, aRegistration(client), startOf(first), stopOf(second),
      ]));
      const ids = async (limit: number): Promise<readonly (readonly string[])[]> => {
        const pages: string[][] = [];
        let after: DeviceCursor | undefined;
        do {
          const page = await states.directory.ofTransport(String(transport_id), after, limit);
          pages.push(page.devices.map(({ device_id }) => device_id));
          after = page.next;
        } while (after !== undefined);
        return pages;
      };
      const newest = [second, third].map(({ device_id }) => device_id).toSorted().toReversed();
      expect(await ids(10)).toEqual([[...newest, first.device_id]]);
      expect(await ids(2)).toEqual([newest, [first.device_id]]);
      expect(await ids(1)).toEqual([...newest.map((id) => [id]), [first.device_id]]);
      expect(await states.directory.ofTransport('1', undefined, 10))
        .toEqual({ devices: [], next: undefined });
    });

    it('[PLT-04] finds a device without its client, with the steps of its life', async () => {
      const device = aRegistration(other);
      expect(await states.directory.find(device.device_id)).toBeUndefined();
      await states.devices.apply(placed([device]));
      expect(await states.directory.find(device.device_id))
        .toEqual(await states.devices.load(other.client_id, device.device_id));
      await states.devices.apply(placed([startOf(device), stopOf(device)], 1));
      expect(await states.directory.find(device.device_id)).toMatchObject({
        client_id: other.client_id, epoch: 3, date_created_ms: device.at_ms,
        started_at_ms: device.at_ms + 10, stopped_at_ms: device.at_ms + 20,
      });
    });

    it('[PLT-03] lists the clients of a shard that have registered a device, each once', async () => {
      const shard = shardOf(client.client_id);
      await states.devices.apply(placed([aRegistration(client), aRegistration(client)]));
      const found: string[] = [];
      for (let after: string | undefined; ;) {
        const [next] = await states.directory.clientsOf(shard, after, 1);
        if (next === undefined) break;
        found.push(after = next);
      }
      expect(found.filter((id) => id === client.client_id)).toHaveLength(1);
      expect(found).toEqual([...new Set(found)].toSorted());
      await states.wipe();
      await expect(states.directory.clientsOf(shard, undefined, 1))
        .rejects.toMatchObject({ code: 'state_not_ready' });
    });
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await states.wipe();
    const device = aRegistration(client);
    const notReady = { code: 'state_not_ready' };
    await expect(states.devices.load('1', '2')).rejects.toMatchObject(notReady);
    await expect(states.devices.loadEntity('1', device.entity_hash)).rejects.toMatchObject(notReady);
    await expect(states.devices.claimRegistration(device, 'a')).rejects.toMatchObject(notReady);
    await expect(states.devices.claimTransition(stopOf(device), 1, 'a'))
      .rejects.toMatchObject(notReady);
    await expect(states.devices.confirm(device, 'a')).rejects.toMatchObject(notReady);
    await expect(states.devices.release(device, 'a')).rejects.toMatchObject(notReady);
    await states.devices.apply(placed([device]));
  });
}
