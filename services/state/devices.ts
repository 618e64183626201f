import {
  claimRegistration, claimTransition, withoutClaim, type Claimant,
} from '../domain/device/claim.ts';
import {
  deviceOf, foldDevice, foldEntity, type DeviceState, type EntityState,
} from '../domain/device/projection.ts';
import type {
  ClaimAnswer, DeviceEvent, DeviceRegistered, DeviceStates,
} from '../kernel/devices.ts';
import { shardOf } from '../kernel/shards.ts';
import type {
  EntryChange, MemberChange, StateEntry, StateFields, StateKey, StateStore,
} from '../kernel/state-store.ts';
import { claimKey, endOf, heldUntil, type ClaimConfig } from './claims.ts';
import { deviceKey, indexDevices } from './device-directory.ts';
import {
  deviceExpiry, deviceFields, entityFields, toDeviceState, toEntityState,
} from './device-fields.ts';
import { changeOf, type NextEntry } from './entries.ts';
import { entityTypesKey, keepEntityTypes, withTypeOf } from './entity-types.ts';
import { FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact, transactEach, type Work } from './transact.ts';

const NONE: StateEntry = { version: 0, fields: new Map(), inDoubt: false };

/** Where an entity lies, by its keyed hash. */
export function entityKey(clientId: string, entityHash: string): StateKey {
  return { shard: shardOf(clientId), kind: 'entity', id: `${clientId}:${entityHash}` };
}

/** Devices, their entities and the claims on both, over the state store. */
export function createDeviceStates(config: ClaimConfig, store: StateStore): DeviceStates {
  async function read(key: StateKey): Promise<StateFields> {
    const { entries } = await store.read([key], READY);
    return entries[0]?.fields ?? NONE.fields;
  }

  const claimant = (id: string, nowMs: number): Claimant =>
    ({ id, nowMs, untilMs: nowMs + config.claimLeaseMs });

  return {
    async load(clientId, deviceId) {
      const state = toDeviceState(await read(deviceKey(clientId, deviceId)));
      return state?.owner === clientId ? deviceOf(deviceId, state) : undefined;
    },

    async loadEntity(clientId, entityHash) {
      return toEntityState(await read(entityKey(clientId, entityHash))).newest;
    },

    /** The device that came before is known only from the entity, so that is read first. */
    async claimRegistration(event, claimId) {
      const own = entityKeyOf(event);
      const before = event.generation === 1 ? undefined : toEntityState(await read(own)).newest;
      const device = deviceKey(event.client_id, before?.device_id ?? event.device_id);
      const lease = claimKey(own.shard, claimId);
      return transact<ClaimAnswer>(store, READY, {
        keys: [own, device, lease],
        decide([entry = NONE, last = NONE, held = NONE], nowMs) {
          const entity = toEntityState(entry.fields);
          if (entity.newest?.device_id !== before?.device_id) return { result: 'moved' };
          const by = claimant(claimId, nowMs);
          const claimed = claimRegistration(entity, toDeviceState(last.fields), event, by);
          if (claimed.answer !== 'taken') return { result: claimed.answer };
          return {
            result: 'taken',
            transaction: {
              entries: [
                ...changesOf(own, entry, entityFields(claimed.state)),
                { key: device, version: last.version },
                heldUntil(lease, held, by.untilMs),
              ],
            },
          };
        },
      });
    },

    async claimTransition(event, from, claimId) {
      const own = deviceKey(event.client_id, event.device_id);
      const lease = claimKey(own.shard, claimId);
      return transact<ClaimAnswer>(store, READY, {
        keys: [own, lease],
        decide([entry = NONE, held = NONE], nowMs) {
          const by = claimant(claimId, nowMs);
          const claimed = claimTransition(toDeviceState(entry.fields), from, event, by);
          if (claimed.answer !== 'taken') return { result: claimed.answer };
          return {
            result: 'taken',
            transaction: {
              entries: [
                ...changesOf(own, entry, deviceFields(claimed.state)),
                heldUntil(lease, held, by.untilMs),
              ],
            },
          };
        },
      });
    },

    async confirm(event, claimId) {
      const { keys, decide } = foldWork([event]);
      const lease = claimKey(shardOf(event.client_id), claimId);
      // With the fact, not from the log alone: who has registered a device finds it by its name.
      const [registration] = event.type === 'DeviceRegistered' ? [event] : [];
      const types = registration === undefined ? [] : [entityTypesKey(event.client_id)];
      return transact(store, READY, {
        keys: [lease, ...keys, ...types],
        decide([held = NONE, ...entries], nowMs) {
          const { transaction } = decide(entries, nowMs);
          const typed = entries.at(-1) ?? NONE;
          const changes = [
            ...endOf(lease, held), ...transaction?.entries ?? [],
            ...registration === undefined ? [] : withTypeOf(registration, typed),
          ];
          return {
            result: held.version !== 0,
            transaction: changes.length === 0 ? undefined : { ...transaction, entries: changes },
          };
        },
      });
    },

    async release(event, claimId) {
      const isRegistration = event.type === 'DeviceRegistered';
      const own = isRegistration
        ? entityKeyOf(event) : deviceKey(event.client_id, event.device_id);
      const lease = claimKey(own.shard, claimId);
      await transact<void>(store, READY, {
        keys: [own, lease],
        decide([entry = NONE, held = NONE]) {
          const { fields } = entry;
          const state = isRegistration ? toEntityState(fields) : toDeviceState(fields);
          const next = state && withoutClaim<DeviceState | EntityState>(state, claimId);
          const changes = next === state ? [] : changesOf(own, entry, isRegistration
            ? entityFields(next as EntityState) : deviceFields(next as DeviceState));
          const all = [...changes, ...endOf(lease, held)];
          return { result: undefined, transaction: all.length > 0 ? { entries: all } : undefined };
        },
      });
    },

    async apply(facts) {
      const groups = Map.groupBy(facts.map(({ event }) => event), ({ device_id }) => device_id);
      await transactEach(store, FROM_THE_LOG, [...groups.values()].map(foldWork));
      const events = facts.map(({ event }) => event);
      await indexDevices(store, events);
      await keepEntityTypes(store, events);
    },
  };
}

/** Folds facts of one device into it and into its entity; a stopped one leaves the fleet. */
function foldWork(events: readonly DeviceEvent[]): Work<void> {
  const [first] = events;
  if (first === undefined) return { keys: [], decide: () => ({ result: undefined }) };
  const { client_id, device_id } = first;
  const own = deviceKey(client_id, device_id);
  const registrations = events.filter((event) => event.type === 'DeviceRegistered');
  const entities = [...Map.groupBy(registrations, ({ entity_hash }) => entity_hash).values()]
    .flatMap((same) => same[0] === undefined ? [] : [{ key: entityKeyOf(same[0]), same }]);
  return {
    keys: [own, ...entities.map(({ key }) => key)],
    decide([entry = NONE, ...others], nowMs) {
      const before = toDeviceState(entry.fields);
      const device = events.reduce<DeviceState | undefined>(foldDevice, before);
      const changes = [
        ...(device === undefined ? [] : changesOf(
          own, entry, deviceFields(device), deviceExpiry(device, nowMs),
        )),
        ...entities.flatMap(({ key, same }, i) => {
          const kept = others[i] ?? NONE;
          const entity = same.reduce<EntityState>(foldEntity, toEntityState(kept.fields));
          return changesOf(key, kept, entityFields(entity));
        }),
      ];
      if (changes.length === 0) return { result: undefined };
      const isStopped = events.some(({ epoch }) => epoch === 3);
      return {
        result: undefined,
        transaction: {
          entries: changes, ...(isStopped ? { members: [outOfFleet(client_id, device_id)] } : {}),
        },
      };
    },
  };
}

function entityKeyOf({ client_id, entity_hash }: DeviceRegistered): StateKey {
  return entityKey(client_id, entity_hash);
}

function changesOf(
  key: StateKey, entry: StateEntry, fields: NextEntry['fields'],
  expiry: Pick<NextEntry, 'expireAtMs'> = {},
): readonly EntryChange[] {
  const change = changeOf(key, entry, { fields, ...expiry });
  return change === undefined ? [] : [change];
}

function outOfFleet(clientId: string, deviceId: string): MemberChange {
  return {
    key: { shard: shardOf(clientId), kind: 'fleet', id: clientId }, remove: [deviceId],
  };
}
