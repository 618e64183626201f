import type { PartyRecorded } from '../../kernel/parties.ts';

/** Which party was last recorded as a provider, and when. */
export interface ProviderIndex {
  readonly party_id: string;
  readonly at_ms: number;
}

/** The newer of two facts about one party; a repeat changes nothing. */
export function newestParty(
  known: PartyRecorded | undefined, fact: PartyRecorded,
): PartyRecorded {
  return known !== undefined && known.version >= fact.version ? known : fact;
}

/** The party that a provider's name leads to: the one recorded last with it. */
export function newestProvider(
  known: ProviderIndex | undefined, { party_id, at_ms }: PartyRecorded,
): ProviderIndex {
  return known !== undefined && known.at_ms >= at_ms ? known : { party_id, at_ms };
}
