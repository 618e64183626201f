import { foldEntityTypes } from '../domain/device/entity-types.ts';
import type { DeviceEvent, DeviceRegistered } from '../kernel/devices.ts';
import { shardOf } from '../kernel/shards.ts';
import type {
  EntryChange, StateEntry, StateFields, StateKey, StateStore,
} from '../kernel/state-store.ts';
import { changeOf, jsonIn } from './entries.ts';
import { foldFacts } from './fold-facts.ts';

const TYPES = 'types';

/** Where the types of the entities of a client lie: with its devices. */
export function entityTypesKey(clientId: string): StateKey {
  return { shard: shardOf(clientId), kind: 'entity-types', id: clientId };
}

/** The types of the entities of a client, in order. */
export function entityTypesIn(fields: StateFields): readonly string[] {
  return jsonIn<readonly string[]>(fields, TYPES) ?? [];
}

/** The entry with the type of a registration; nothing when it has it already. */
export function withTypeOf(
  { client_id, entity_type }: DeviceRegistered, entry: StateEntry,
): readonly EntryChange[] {
  const fields = fieldsWith(entry.fields, [entity_type]);
  const change = changeOf(entityTypesKey(client_id), entry, { fields });
  return change === undefined ? [] : [change];
}

/** Keeps the types of registrations; any order and repetition ends in the same. */
export async function keepEntityTypes(
  store: StateStore, events: readonly DeviceEvent[],
): Promise<void> {
  const registrations = events.filter((event) => event.type === 'DeviceRegistered');
  await foldFacts(
    store,
    registrations.map(({ client_id, entity_type }) => ({
      key: entityTypesKey(client_id), fact: entity_type,
    })),
    ({ fields }, seen) => ({ fields: fieldsWith(fields, seen) }),
  );
}

function fieldsWith(
  fields: StateFields, seen: readonly string[],
): { readonly [TYPES]: string } {
  return { [TYPES]: JSON.stringify(foldEntityTypes(entityTypesIn(fields), seen)) };
}
