import type {
  AuthorizationRefused, AuthorizationResponse, ShipmentAuthorized, ShipmentCancelled,
} from '../../schemas/generated/types.ts';
import type { ClaimAnswer } from './devices.ts';

/** Facts about the authorization of a transport order: `shipment.authorizations.v1`. */
export type { AuthorizationRefused, AuthorizationResponse, ShipmentAuthorized, ShipmentCancelled };

/** A fact that moves a transport order. A refusal does not. */
export type AuthorizationMove = ShipmentAuthorized | ShipmentCancelled;

/** Any fact about a transport order. */
export type AuthorizationEvent = AuthorizationMove | AuthorizationRefused;

/**
 * How far a transport order has come: 0 not known, 2n-1 authorized in epoch n, 2n that epoch is
 * cancelled. It only ever rises, so applying facts is a maximum.
 */
export type AuthorizationRank = number;

/** A transport order of one client as the state store holds it. */
export interface StoredAuthorization {
  /** The rank that the log knows. */
  readonly rank: AuthorizationRank;
  readonly shipment_id: string;
  readonly tracking_number: string;
  /** The answer of the epoch; absent unless it is authorized. */
  readonly answer: AuthorizationResponse | undefined;
  /** A cancellation was claimed and denies already, but is not in the log yet. */
  readonly cancellation?: ShipmentCancelled;
  /** Somebody decides about it at this moment. */
  readonly is_claimed: boolean;
}

/** What about an authorization must be the same when another caller brings it to its end. */
export interface AuthorizationMarks {
  readonly at_ms: number;
  readonly test: boolean;
}

/** One step that a caller wants to take alone. */
export interface AuthorizationClaim {
  readonly client_id: string;
  readonly transport_order_id: string;
  readonly from: AuthorizationRank;
  readonly to: AuthorizationRank;
  readonly marks: AuthorizationMarks;
  /** Given for a cancellation, which denies in the same step. */
  readonly cancellation?: ShipmentCancelled;
}

/**
 * The answer to a claim. Taken comes with the marks to use: those of a caller before, whose same
 * step was never brought to its end, else the own ones; so both give the same answer.
 */
export type AuthorizationClaimReply =
  | { readonly kind: 'taken'; readonly marks: AuthorizationMarks }
  | { readonly kind: Exclude<ClaimAnswer, 'taken'> };

/**
 * Live state of transport orders, each seen by its client only. Every call rejects with Fault
 * `state_unavailable` or `state_not_ready` (applying only the first). A claim has a lease.
 */
export interface AuthorizationStates {
  load(clientId: string, transportOrderId: string): Promise<StoredAuthorization | undefined>;
  claim(claim: AuthorizationClaim, claimId: string): Promise<AuthorizationClaimReply>;
  /** Makes an appended fact visible and ends its claim. Harmless when repeated. */
  confirm(event: AuthorizationMove): Promise<void>;
  /** Gives a claim back after the log certainly did not take the fact (a denial stays). */
  release(clientId: string, transportOrderId: string, claimId: string): Promise<void>;
  /** Applies facts from the log; any order and repetition ends in the same state. */
  apply(events: readonly AuthorizationMove[]): Promise<void>;
}

/** The rank that a fact brings its transport order to. */
export function rankOf(event: AuthorizationMove): AuthorizationRank {
  return event.type === 'ShipmentAuthorized' ? event.epoch * 2 - 1 : event.epoch * 2;
}
