import type { KeptRefusals, RefusalStore } from '../../../services/kernel/refusals.ts';
import type { KeptTaken, TakenCallStore } from '../../../services/kernel/taken-calls.ts';

/** {@link RefusalStore} in memory, without bounds. */
export function fakeRefusals(): RefusalStore {
  const clients = new Map<string, KeptRefusals[]>();
  return {
    async keep(clientId, refusals) {
      clients.set(clientId, [...clients.get(clientId) ?? [], ...refusals]);
    },
    find: async (clientId) => (clients.get(clientId) ?? [])
      .toSorted((one, other) => other.last_at_ms - one.last_at_ms),
  };
}

/** {@link TakenCallStore} in memory. */
export function fakeTaken(): TakenCallStore {
  const clients = new Map<string, ReadonlyMap<string, KeptTaken>>();
  return {
    async keep(clientId, taken) {
      const next = new Map(clients.get(clientId));
      for (const each of taken) {
        const kept = next.get(each.operation) ?? each;
        next.set(each.operation, {
          operation: each.operation,
          first_at_ms: Math.min(kept.first_at_ms, each.first_at_ms),
          last_at_ms: Math.max(kept.last_at_ms, each.last_at_ms),
        });
      }
      clients.set(clientId, next);
    },
    find: async (clientId) => [...clients.get(clientId)?.values() ?? []],
  };
}
