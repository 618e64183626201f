import type {
  AuthorizationChangeAsked, AuthorizationContents, AuthorizationRefused, AuthorizationResponse,
  ShipmentAuthorized, ShipmentCancelled,
} from '../../schemas/generated/types.ts';
import type { ClaimAnswer } from './devices.ts';
import type { RecordId } from './record-id.ts';
import type { ClientId, ShipmentId, TrackingNumber, TransportOrderId } from './ids.ts';

/** Facts about the authorization of a transport order: `shipment.authorizations.v1`. */
export type {
  AuthorizationChangeAsked, AuthorizationContents, AuthorizationRefused, AuthorizationResponse,
  ShipmentAuthorized, ShipmentCancelled,
};

/** A fact that moves a transport order. A refusal does not. */
export type AuthorizationMove = ShipmentAuthorized | ShipmentCancelled;

/** Any fact about a transport order. */
export type AuthorizationEvent = AuthorizationMove | AuthorizationRefused;

/**
 * The stage of a transport order: 0 not known, 2n-1 authorized in epoch n, 2n that epoch is
 * cancelled. It only ever rises, so applying facts is a maximum.
 */
export type AuthorizationStage = number;

/** A transport order of one client as the state store holds it. */
export interface StoredAuthorization {
  /** The stage that the log knows. */
  readonly stage: AuthorizationStage;
  readonly shipment_id: ShipmentId;
  readonly tracking_number: TrackingNumber;
  /** The answer of the epoch; absent unless it is authorized. */
  readonly answer: AuthorizationResponse | undefined;
  /** By which a repeat with other content is known; absent of a cancelled one. */
  readonly contents?: AuthorizationContents | undefined;
  /** Hashes of the changed contents that were asked for and recorded, newest last; bounded. */
  readonly changes?: readonly string[] | undefined;
  /** A cancellation was claimed and denies already, but is not in the log yet. */
  readonly cancellation?: ShipmentCancelled;
  /** Another call is deciding about it now. */
  readonly is_claimed: boolean;
}

/** Members of an authorization that stay the same when another caller finishes it. */
export interface AuthorizationMarks {
  readonly at_ms: number;
  readonly test: boolean;
  /** The number that was about to be given, whatever key makes new ones now. */
  readonly tracking_number?: TrackingNumber | undefined;
}

/** One step that a caller wants to take alone. */
export interface AuthorizationClaim {
  readonly client_id: ClientId;
  readonly transport_order_id: TransportOrderId;
  readonly from: AuthorizationStage;
  readonly to: AuthorizationStage;
  readonly marks: AuthorizationMarks;
  /** Given for a cancellation, which denies in the same step. */
  readonly cancellation?: ShipmentCancelled;
}

/**
 * The answer to a claim. Taken comes with the marks to use: those of an earlier caller that
 * never finished the same step, else the caller's own; so both give the same answer.
 */
export type AuthorizationClaimReply =
  | { readonly kind: 'taken'; readonly marks: AuthorizationMarks }
  | { readonly kind: Exclude<ClaimAnswer, 'taken'> };

/** A change of the content of an authorization, by the hash of what was asked. */
export type ChangeOfOrder = Pick<
  AuthorizationChangeAsked, 'client_id' | 'transport_order_id' | 'epoch' | 'content_hash'
>;

/** A fact and where the log has it. */
export interface PlacedMove {
  readonly event: AuthorizationMove;
  readonly recordId: RecordId;
}

/**
 * Live state of transport orders, each seen by its client only. Every call rejects with Unavailable
 * `state_unavailable` or `state_not_ready` (applying only the first). A claim has a lease.
 *
 * Of several facts of one stage the first in the log counts. There are several only when the store
 * lost a claim whose fact was in flight, as by a wipe.
 */
export interface AuthorizationStates {
  load(
    clientId: ClientId, transportOrderId: TransportOrderId,
  ): Promise<StoredAuthorization | undefined>;
  claim(claim: AuthorizationClaim, claimId: string): Promise<AuthorizationClaimReply>;
  /**
   * Makes an appended fact visible and ends its claim, if the claim was there all the time. False,
   * and nothing done, when it was not or when the store was rebuilt recently: the log may have
   * another fact of this stage before this one, and what is applied from there decides.
   */
  confirm(event: AuthorizationMove, claimId: string): Promise<boolean>;
  /** Gives a claim back after the log certainly did not take the fact (a denial stays). */
  release(clientId: ClientId, transportOrderId: TransportOrderId, claimId: string): Promise<void>;
  /**
   * Lets one caller at a time record a change that was asked for. `moved` when it is recorded, or
   * the order is not at this stage any more.
   */
  claimChange(change: ChangeOfOrder, claimId: string): Promise<ClaimAnswer>;
  /** Ends the claim of a change: in the log when `isRecorded`, certainly not there otherwise. */
  endChange(change: ChangeOfOrder, claimId: string, isRecorded: boolean): Promise<void>;
  /** Applies changes from the log. Needs no mark. */
  applyChanges(facts: readonly AuthorizationChangeAsked[]): Promise<void>;
  /** Applies facts from the log; any order and repetition ends in the same state. */
  apply(facts: readonly PlacedMove[]): Promise<void>;
}

/** The stage that a fact brings its transport order to. */
export function stageOf(event: AuthorizationMove): AuthorizationStage {
  return event.type === 'ShipmentAuthorized' ? event.epoch * 2 - 1 : event.epoch * 2;
}
