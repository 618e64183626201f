import { deviceOf } from '../domain/device/projection.ts';
import type {
  DeviceCursor, DeviceDirectory, DeviceEvent, DeviceRegistered, ListedDevice,
} from '../kernel/devices.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore, StateTransaction } from '../kernel/state-store.ts';
import { toDeviceState } from './device-fields.ts';
import { numberIn, type NextEntry } from './entries.ts';
import { FROM_THE_LOG, foldFacts, READY } from './fold-facts.ts';

/** Where a device lies: with its client. The scripts of admission and last fixes read it there. */
export function deviceKey(clientId: string, deviceId: string): StateKey {
  return { shard: shardOf(clientId), kind: 'device', id: deviceId };
}

/**
 * Finds devices without knowing their clients: an owner for each device in the shard of its id, the
 * devices of each transport in the shard of that, and the clients of each shard.
 */
export function createDeviceDirectory(store: StateStore): DeviceDirectory {
  async function read(keys: readonly StateKey[]): Promise<readonly StateFields[]> {
    if (keys.length === 0) return [];
    return (await store.read(keys, READY)).entries.map(({ fields }) => fields);
  }

  /** Devices in the order of their ids; those of which no registration is known are left out. */
  async function load(deviceIds: readonly string[]): Promise<readonly ListedDevice[]> {
    const owners = await read(deviceIds.map(ownerKey));
    const known = deviceIds.flatMap((deviceId, at) => {
      const clientId = owners[at]?.get('client_id');
      return clientId === undefined ? [] : [{ deviceId, key: deviceKey(clientId, deviceId) }];
    });
    const found = await read(known.map(({ key }) => key));
    return known.flatMap(({ deviceId }, at) => listed(deviceId, found[at]) ?? []);
  }

  return {
    async find(deviceId) {
      return (await load([deviceId]))[0];
    },

    async ofTransport(transportId, after, limit) {
      const members = await store.readMembers([transportKey(transportId)], {
        order: 'falling', max: limit + 1,
        after: after && { score: after.registered_at_ms, member: after.device_id },
      });
      const shown = members.slice(0, limit);
      const last = shown.at(-1);
      return {
        devices: (await load(shown.map(({ member }) => member)))
          .filter((device) => String(device.transport_id) === transportId),
        next: members.length > limit && last !== undefined ? cursorOf(last) : undefined,
      };
    },

    async clientsOf(shard, after, limit) {
      const members = await store.readMembers([clientsKey(shard)], {
        order: 'rising', max: limit,
        after: after === undefined ? undefined : { score: 0, member: after },
      });
      return members.map(({ member }) => member);
    },
  };
}

/**
 * Writes what {@link createDeviceDirectory} reads; any order and repetition ends in the same. A
 * registration that does not count (its caller did not learn its outcome) may have named another
 * transport: the device is then a member of both, and readers leave out what is not there. The
 * owner of a device leaves with it.
 */
export async function indexDevices(
  store: StateStore, events: readonly DeviceEvent[],
): Promise<void> {
  const registrations = events.filter((event) => event.type === 'DeviceRegistered');
  const memberships = registrations.flatMap(membershipsOf);
  if (memberships.length > 0) await store.commit(memberships, FROM_THE_LOG);
  await foldFacts(
    store,
    events.filter(({ epoch }) => epoch !== 2)
      .map((fact) => ({ key: ownerKey(fact.device_id), fact })),
    ({ fields }, own, nowMs) => ownerOf(fields, own, nowMs),
  );
}

/** Of a stop too: what comes after it in any order must not keep an owner for good. */
function ownerOf(
  fields: StateFields, events: readonly DeviceEvent[], nowMs: number,
): NextEntry | undefined {
  const stoppedMs = Math.min(
    numberIn(fields, 'stopped_at_ms') ?? Infinity,
    ...events.flatMap((event) => event.type === 'DeviceTrackingStopped' ? [event.at_ms] : []),
  );
  const client_id = fields.get('client_id') ?? events[0]?.client_id;
  if (!Number.isFinite(stoppedMs)) return { fields: { client_id } };
  return {
    fields: { client_id, stopped_at_ms: stoppedMs },
    expireAtMs: expiryOf(stoppedMs, HISTORY_MS, nowMs),
  };
}

function membershipsOf(event: DeviceRegistered): readonly StateTransaction[] {
  const { client_id, device_id, transport_id, at_ms } = event;
  return [
    {
      entries: [],
      members: [{
        key: transportKey(String(transport_id)), addLeast: [{ member: device_id, score: at_ms }],
      }],
    },
    {
      entries: [],
      members: [{
        key: clientsKey(shardOf(client_id)), addNew: [{ member: client_id, score: 0 }],
      }],
    },
  ];
}

/** A device with the steps of its life; undefined while no registration of it is known. */
export function listed(
  deviceId: string, fields: StateFields | undefined,
): ListedDevice | undefined {
  const state = fields && toDeviceState(fields);
  const device = deviceOf(deviceId, state);
  if (device === undefined) return undefined;
  const { started_at_ms, stopped_at_ms } = state ?? {};
  return {
    ...device,
    ...(started_at_ms === undefined ? {} : { started_at_ms }),
    ...(stopped_at_ms === undefined ? {} : { stopped_at_ms }),
  };
}

function cursorOf(
  { member, score }: { readonly member: string; readonly score: number },
): DeviceCursor {
  return { registered_at_ms: score, device_id: member };
}

function ownerKey(deviceId: string): StateKey {
  return { shard: shardOf(deviceId), kind: 'device-owner', id: deviceId };
}

function transportKey(transportId: string): StateKey {
  return { shard: shardOf(transportId), kind: 'transport-devices', id: transportId };
}

function clientsKey(shard: number): StateKey {
  return { shard, kind: 'fleet-clients', id: '' };
}
