import {
  withDecision, type OverflowRecorded, type OverflowStates, type ProviderDecisions,
} from '../kernel/overflow.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { jsonIn } from './entries.ts';
import { changing, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

/** Decisions about a provider in the shard of its name, a field for each that decides. */
export function createOverflowStates(store: StateStore): OverflowStates {
  return {
    async decisionsOf(providers) {
      const { entries } = await store.read(providers.map(keyOf), READY);
      return providers.map((provider, at) => (
        { provider, decisions: decisionsIn(entries[at]?.fields ?? new Map()) }
      ));
    },

    /** What is about a device concerns the table writers alone. */
    async apply(fact) {
      const { provider } = fact;
      if (provider === undefined) return;
      await transact(store, FROM_THE_LOG, changing(keyOf(provider), ({ fields }) => {
        const decisions = withDecision(decisionsIn(fields), fact);
        return { fields: {
          operator: decisions.operator && JSON.stringify(decisions.operator),
          writer: decisions.writer && JSON.stringify(decisions.writer),
        } };
      }));
    },
  };
}

function keyOf(provider: string): StateKey {
  return { shard: shardOf(provider), kind: 'overflow', id: provider };
}

function decisionsIn(fields: StateFields): ProviderDecisions {
  const operator = jsonIn<OverflowRecorded>(fields, 'operator');
  const writer = jsonIn<OverflowRecorded>(fields, 'writer');
  return { ...(operator && { operator }), ...(writer && { writer }) };
}
