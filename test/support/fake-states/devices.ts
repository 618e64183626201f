import type { Clock } from '../../../services/kernel/clock.ts';
import type {
  DeviceEvent, DeviceRegistered, DeviceStates, StoredDevice,
} from '../../../services/kernel/devices.ts';
import type { FakeClaim, FakeDevice, FakeEntity, FakeStore, Guard } from './store.ts';

/** {@link DeviceStates} over the store in memory, rule by rule like the scripts of the adapter. */
export function fakeDevices(
  store: FakeStore, guard: Guard, clock: Clock, leaseMs: number,
): DeviceStates {
  const heldByOther = (claim: FakeClaim | undefined, claimId: string): boolean =>
    claim !== undefined && claim.id !== claimId && claim.untilMs > clock.nowMs();
  const newClaim = (id: string, rank: number): FakeClaim => {
    const untilMs = clock.nowMs() + leaseMs;
    store.claims.set(id, untilMs);
    return { id, rank, untilMs };
  };

  return {
    async load(clientId, deviceId) {
      guard(true);
      const device = store.devices.get(deviceId);
      return device?.owner === clientId ? toStored(device) : undefined;
    },

    async loadEntity(clientId, { entity_type, entity_id, entity_hash }) {
      guard(true);
      const [entity, before] = [entity_hash, digestOf(entity_type, entity_id)]
        .map((name) => store.entities.get(entityName(clientId, name)));
      const newest = (before?.generation ?? 0) > (entity?.generation ?? 0) ? before : entity;
      if (newest?.device_id === undefined) return undefined;
      return { generation: newest.generation, device_id: newest.device_id };
    },

    async claimRegistration(event, claimId) {
      guard(true);
      const entity = entityOf(store, event);
      const before = store.entities.get(
        entityName(event.client_id, digestOf(event.entity_type, event.entity_id ?? '')),
      );
      const known = (before?.generation ?? 0) > entity.generation ? before ?? entity : entity;
      if (known.generation !== event.generation - 1) return 'moved';
      if (known.device_id !== undefined) {
        const device = store.devices.get(known.device_id);
        if (device?.stopFrom !== undefined) return 'busy';
        if (device?.rank !== 3) return 'moved';
      }
      if (heldByOther(before?.claim, claimId)) return 'busy';
      if (heldByOther(entity.claim, claimId)) return 'busy';
      entity.claim = newClaim(claimId, event.generation);
      return 'taken';
    },

    async claimTransition(event, from, claimId) {
      guard(true);
      const device = store.devices.get(event.device_id);
      if (device?.registered === undefined || device.owner !== event.client_id) return 'moved';
      if (heldByOther(device.claim, claimId)) return 'busy';
      if (device.stopFrom !== undefined) {
        if (event.epoch !== 3) return 'busy';
        if (from !== device.stopFrom && from !== 3) return 'moved';
      } else if (device.rank !== from || event.epoch <= device.rank) {
        return 'moved';
      } else if (event.epoch === 3) {
        device.stopFrom = device.rank;
        device.rank = 3;
      }
      device.claim = newClaim(claimId, event.epoch);
      return 'taken';
    },

    async confirm(event, claimId) {
      guard(true);
      const isHeld = (store.claims.get(claimId) ?? 0) > clock.nowMs();
      store.claims.delete(claimId);
      merge(store, event);
      return isHeld;
    },

    async release(event, claimId) {
      guard(true);
      store.claims.delete(claimId);
      const held = event.type === 'DeviceRegistered'
        ? entityOf(store, event)
        : store.devices.get(event.device_id);
      if (held?.claim?.id === claimId) held.claim = undefined;
    },

    async apply(facts) {
      guard(false);
      for (const { event } of facts) merge(store, event);
    },
  };
}

function merge(store: FakeStore, event: DeviceEvent): void {
  const device = store.devices.get(event.device_id) ?? unknownDevice(event);
  store.devices.set(event.device_id, device);
  if (event.type === 'DeviceRegistered') {
    if (before(event, device.registered)) device.registered = event;
    mergeEntity(entityOf(store, event), event);
  } else if (event.type === 'DeviceTrackingStarted') {
    device.startedAtMs = Math.min(event.at_ms, device.startedAtMs ?? Infinity);
  } else {
    device.stoppedAtMs = Math.min(event.at_ms, device.stoppedAtMs ?? Infinity);
    device.stopFrom = undefined;
  }
  if (event.epoch > device.rank) device.rank = event.epoch;
  if (device.stopFrom !== undefined && event.epoch > device.stopFrom) {
    device.stopFrom = event.epoch;
  }
  if (device.claim !== undefined && device.claim.rank <= event.epoch) device.claim = undefined;
}

function mergeEntity(entity: FakeEntity, event: DeviceRegistered): void {
  if (event.generation > entity.generation) {
    entity.generation = event.generation;
    entity.device_id = event.device_id;
  }
  if (entity.claim !== undefined && entity.claim.rank <= event.generation) {
    entity.claim = undefined;
  }
}

function unknownDevice(event: DeviceEvent): FakeDevice {
  return {
    owner: event.client_id, rank: event.epoch, stopFrom: undefined, registered: undefined,
    startedAtMs: undefined, stoppedAtMs: undefined, claim: undefined,
  };
}

function before(event: DeviceRegistered, kept: DeviceRegistered | undefined): boolean {
  if (kept === undefined || event.at_ms < kept.at_ms) return true;
  if (event.at_ms > kept.at_ms) return false;
  const text = ({ user_id, transport_id, device_specs, personal }: DeviceRegistered): string => [
    user_id, transport_id, JSON.stringify(device_specs),
    personal === undefined ? '' : JSON.stringify(personal),
  ].join('\x1f');
  return text(event) < text(kept);
}

function entityName(clientId: string, hash: string): string {
  return JSON.stringify([clientId, hash]);
}

/** How an entity was named before there were keyed hashes. */
function digestOf(entityType: string, entityId: string): string {
  return JSON.stringify([entityType, entityId]);
}

function entityOf(store: FakeStore, event: DeviceRegistered): FakeEntity {
  const { entity_hash, entity_type, entity_id = '' } = event;
  const name = entityName(event.client_id, entity_hash ?? digestOf(entity_type, entity_id));
  const found = store.entities.get(name)
    ?? { generation: 0, device_id: undefined, claim: undefined };
  store.entities.set(name, found);
  return found;
}

function toStored(device: FakeDevice): StoredDevice | undefined {
  if (device.registered === undefined) return undefined;
  const { type: _, country_id: __, entity_hash: ___, at_ms, ...facts } = device.registered;
  return {
    ...facts,
    epoch: device.stopFrom ?? device.rank,
    ...(device.stopFrom === undefined ? {} : { stop_unconfirmed: true as const }),
    date_created_ms: at_ms,
    last_updated_ms: device.stoppedAtMs ?? device.startedAtMs ?? at_ms,
    last_status_updated_ms: device.stoppedAtMs ?? at_ms,
  };
}
