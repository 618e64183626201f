import type { Leases } from '../kernel/leases.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  claimLease, releaseLease, renewLease, type LeaseRecord,
} from '../domain/lease/projection.ts';
import { changeOf, numberIn } from './entries.ts';
import { FROM_THE_LOG } from './fold-facts.ts';
import { transact } from './transact.ts';

/** Leases by the clock of the store, which all owners share. They need no ready mark. */
export function createLeases(store: StateStore): Leases {
  /** Takes a lease a step on; undefined, and nothing written, when the step is not possible. */
  function step(
    name: string, next: (lease: LeaseRecord | undefined, nowMs: number) => LeaseRecord | undefined,
  ): Promise<LeaseRecord | undefined> {
    const key: StateKey = { shard: shardOf(name), kind: 'lease', id: name };
    return transact(store, FROM_THE_LOG, {
      keys: [key],
      decide([entry], nowMs) {
        const lease = next(leaseIn(entry?.fields), nowMs);
        const change = entry && lease && changeOf(key, entry, { fields: { ...lease } });
        return { result: lease, transaction: change && { entries: [change] } };
      },
    });
  }

  return {
    async claim(name, owner, leaseMs, fenceLeast) {
      const lease = await step(name, (kept, nowMs) => (
        claimLease(kept, owner, fenceLeast, { nowMs, leaseMs })
      ));
      return lease?.fence;
    },

    async renew(name, owner, leaseMs) {
      const lease = await step(name, (kept, nowMs) => renewLease(kept, owner, { nowMs, leaseMs }));
      return lease !== undefined;
    },

    async release(name, owner) {
      await step(name, (kept, nowMs) => releaseLease(kept, owner, nowMs));
    },
  };
}

function leaseIn(fields: StateFields | undefined): LeaseRecord | undefined {
  const owner = fields?.get('owner');
  if (fields === undefined || owner === undefined) return undefined;
  return {
    owner, fence: numberIn(fields, 'fence') ?? 0, until_ms: numberIn(fields, 'until_ms') ?? 0,
  };
}
