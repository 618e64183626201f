import type { PartyAuthentication, PartyRecorded } from '../../schemas/generated/types.ts';

/** A party that the platform calls, as recorded in `platform.parties.v1`. */
export type { PartyAuthentication, PartyRecorded };

/**
 * Whom the platform calls. Every call rejects with `Unavailable` `state_unavailable` or
 * `state_not_ready`. Secrets in the answer are sealed; the vault opens them.
 */
export interface Parties {
  /** The party whatever its status. */
  find(partyId: string): Promise<PartyRecorded | undefined>;
  /** The active party that is this provider. */
  byProvider(name: string): Promise<PartyRecorded | undefined>;
  /** Every active carrier. */
  carriers(): Promise<readonly PartyRecorded[]>;
}

/** Parties in the state store; applying is idempotent by version. */
export interface PartyStates extends Parties {
  apply(event: PartyRecorded): Promise<void>;
}
