import type { EntityDirectory } from '../kernel/entities.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { deviceKey, listed } from './device-directory.ts';
import { toEntityState } from './device-fields.ts';
import { entityKey } from './devices.ts';
import { entityTypesIn, entityTypesKey } from './entity-types.ts';
import { READY } from './fold-facts.ts';

/** Finds devices by the hashed names of their entities, in the shards of their clients. */
export function createEntityDirectory(store: StateStore): EntityDirectory {
  async function read(keys: readonly StateKey[]): Promise<readonly StateFields[]> {
    if (keys.length === 0) return [];
    return (await store.read(keys, READY)).entries.map(({ fields }) => fields);
  }

  return {
    async typesOf(clientIds) {
      return (await read(clientIds.map(entityTypesKey))).map(entityTypesIn);
    },

    async newest(entities) {
      const keys = entities.map(({ clientId, entityHash }) => entityKey(clientId, entityHash));
      return (await read(keys)).map((fields) => toEntityState(fields).newest);
    },

    /** Devices of clients of one shard lie beside each other, so the owner is compared. */
    async devices(owned) {
      const keys = owned.map(({ clientId, deviceId }) => deviceKey(clientId, deviceId));
      const found = await read(keys);
      return owned.flatMap(({ clientId, deviceId }, at) => {
        const device = listed(deviceId, found[at]);
        return device?.client_id === clientId ? [device] : [];
      });
    },
  };
}
