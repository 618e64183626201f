import {
  byProvider, type DriverErased, type DriverErasure, type ErasedDriverStates,
} from '../kernel/erased-drivers.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { jsonIn } from './entries.ts';
import { foldFacts, FROM_THE_LOG } from './fold-facts.ts';

/** Erased drivers of each client in its shard: a field for each hash. */
export function createErasedDrivers(store: StateStore): ErasedDriverStates {
  return {
    add: (facts) => foldFacts(
      store, facts.map((fact) => ({ key: keyOf(fact.client_id), fact })),
      ({ fields }, own) => ({ fields: own.reduce(withErasure, Object.fromEntries(fields)) }),
    ),
    async of(clientIds) {
      if (clientIds.length === 0) return new Map();
      const { entries } = await store.read(clientIds.map(keyOf), FROM_THE_LOG);
      return byProvider(entries.flatMap(({ fields }) => erasuresIn(fields)));
    },
  };
}

function keyOf(clientId: string): StateKey {
  return { shard: shardOf(clientId), kind: 'erased-drivers', id: clientId };
}

/** Of two erasures of one hash the later counts. */
function withErasure(
  fields: Readonly<Record<string, string>>,
  { client_id, provider, driver_hash, salt, received_until_ms }: DriverErased,
): Readonly<Record<string, string>> {
  const kept = erasureIn(new Map(Object.entries(fields)), driver_hash);
  if (kept !== undefined && kept.received_until_ms >= received_until_ms) return fields;
  const erasure: DriverErasure = { client_id, provider, driver_hash, salt, received_until_ms };
  return { ...fields, [driver_hash]: JSON.stringify(erasure) };
}

function erasuresIn(fields: StateFields): readonly DriverErasure[] {
  return [...fields.keys()].flatMap((hash) => erasureIn(fields, hash) ?? []);
}

function erasureIn(fields: StateFields, hash: string): DriverErasure | undefined {
  return jsonIn<DriverErasure>(fields, hash);
}
