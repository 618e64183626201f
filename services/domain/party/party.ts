import type { PartyRecorded } from '../../kernel/parties.ts';

/** What of a party an operator may change. */
export type PartyChange = Partial<Pick<
  PartyRecorded,
  'name' | 'provider' | 'client_id' | 'base_url' | 'authentication' | 'retry' | 'feed'
  | 'contracts_requiring_agency' | 'status'
>>;

/** The next version of a party. */
export function changeParty(
  party: PartyRecorded, change: PartyChange, atMs: number,
): PartyRecorded {
  return { ...party, ...change, version: party.version + 1, at_ms: atMs };
}
