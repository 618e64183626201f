import type { PartyRecorded } from '../../kernel/parties.ts';

/** True for an active party that is the client itself: its address alone it may have examined. */
export function isOwnParty(
  party: Pick<PartyRecorded, 'status' | 'client_id'>, clientId: string,
): boolean {
  return party.status === 'active' && party.client_id === clientId;
}
