import type { PartyRecorded, PartyStates } from '../kernel/parties.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  newestParty, newestProvider, type ProviderIndex,
} from '../domain/party/projection.ts';
import { jsonIn, numberIn } from './entries.ts';
import { changing, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

const CARRIERS: StateKey = { shard: 0, kind: 'carriers', id: '' };

/**
 * Parties in the shard of their id, with two indexes: provider name → party, and the list of
 * carriers. An index may be older than a party; what it leads to is checked.
 */
export function createPartyStates(store: StateStore): PartyStates {
  async function read(keys: readonly StateKey[]): Promise<readonly StateFields[]> {
    const { entries } = await store.read(keys, READY);
    return entries.map(({ fields }) => fields);
  }

  async function findAll(partyIds: readonly string[]): Promise<readonly PartyRecorded[]> {
    if (partyIds.length === 0) return [];
    return (await read(partyIds.map(partyKey))).flatMap((fields) => partyIn(fields) ?? []);
  }

  async function find(partyId: string): Promise<PartyRecorded | undefined> {
    return (await findAll([partyId]))[0];
  }

  return {
    find,

    async byProvider(name) {
      const [fields] = await read([providerKey(name)]);
      const partyId = fields?.get('party_id');
      const party = partyId === undefined ? undefined : await find(partyId);
      return party?.status === 'active' && party.provider === name ? party : undefined;
    },

    async carriers() {
      const [ids] = await read([CARRIERS]);
      const parties = await findAll([...ids?.keys() ?? []]);
      return parties.filter(({ kind, status }) => kind === 'carrier' && status === 'active');
    },

    /** The indexes first: a party that is found is found by each of its names. */
    async apply(event) {
      const { party_id, provider, kind, status } = event;
      if (kind === 'carrier') {
        await transact(store, FROM_THE_LOG, changing(CARRIERS, ({ fields }) => (
          { fields: { ...Object.fromEntries(fields), [party_id]: 1 } }
        )));
      }
      if (provider !== undefined && status === 'active') {
        await transact(store, FROM_THE_LOG, changing(providerKey(provider), ({ fields }) => {
          const { at_ms, ...index } = newestProvider(providerIn(fields), event);
          return { fields: { ...index, version: at_ms } };
        }));
      }
      await transact(store, FROM_THE_LOG, changing(partyKey(party_id), ({ fields }) => {
        const party = newestParty(partyIn(fields), event);
        return { fields: { version: party.version, fact: JSON.stringify(party) } };
      }));
    },
  };
}

function partyKey(partyId: string): StateKey {
  return { shard: shardOf(partyId), kind: 'party', id: partyId };
}

function providerKey(name: string): StateKey {
  return { shard: shardOf(name), kind: 'provider-party', id: name };
}

function partyIn(fields: StateFields): PartyRecorded | undefined {
  return jsonIn<PartyRecorded>(fields, 'fact');
}

function providerIn(fields: StateFields): ProviderIndex | undefined {
  const [party_id, at_ms] = [fields.get('party_id'), numberIn(fields, 'version')];
  return party_id === undefined || at_ms === undefined ? undefined : { party_id, at_ms };
}
