import type { PartyRecorded, PartyStates } from '../../kernel/parties.ts';
import { shardOf } from '../../kernel/shards.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { toFields } from './texts.ts';

const tagOfName = (name: string): string => tagOf(shardOf(name));
const CARRIERS_TAG = tagOf(0);

/**
 * Parties as hashes, each in the shard of its id, with two indexes: provider name → party, and the
 * list of carriers. An index may be older than a party; what it leads to is checked.
 */
export function createPartyStates(runScript: RunScript): PartyStates {
  async function read(tag: string, key: string): Promise<ReadonlyMap<string, string> | undefined> {
    return toFields(await runScript('read', [keys.ready(tag), key], []));
  }

  async function find(partyId: string): Promise<PartyRecorded | undefined> {
    const tag = tagOfName(partyId);
    const fact = (await read(tag, keys.party(tag, partyId)))?.get('fact');
    return fact === undefined ? undefined : JSON.parse(fact) as PartyRecorded;
  }

  return {
    find,

    async byProvider(name) {
      const tag = tagOfName(name);
      const partyId = (await read(tag, keys.providerParty(tag, name)))?.get('party_id');
      const party = partyId === undefined ? undefined : await find(partyId);
      return party?.status === 'active' && party.provider === name ? party : undefined;
    },

    async carriers() {
      const ids = await read(CARRIERS_TAG, keys.carriers(CARRIERS_TAG));
      const parties = await Promise.all([...ids?.keys() ?? []].map(find));
      return parties.filter((party): party is PartyRecorded =>
        party?.kind === 'carrier' && party.status === 'active');
    },

    /** The indexes first: a party that is found is found by each of its names. */
    async apply(event) {
      const { party_id, provider, kind, version, at_ms, status } = event;
      if (kind === 'carrier') {
        await runScript('put-field', [keys.carriers(CARRIERS_TAG)], [party_id, '1']);
      }
      if (provider !== undefined && status === 'active') {
        const tag = tagOfName(provider);
        await runScript(
          'apply-party', [keys.providerParty(tag, provider)], [at_ms, 'party_id', party_id],
        );
      }
      const tag = tagOfName(party_id);
      await runScript(
        'apply-party', [keys.party(tag, party_id)], [version, 'fact', JSON.stringify(event)],
      );
    },
  };
}
