import type {
  AuthorizationClaim, AuthorizationClaimReply, AuthorizationMarks, AuthorizationMove,
  AuthorizationStage, ChangeOfOrder, StoredAuthorization,
} from '../../kernel/authorizations.ts';
import { stageOf } from '../../kernel/authorizations.ts';
import type { ClaimAnswer } from '../../kernel/devices.ts';
import type { RecordId } from '../../kernel/record-id.ts';
import { authorizationDecider } from './authorization.ts';

/** Everything that is kept about one transport order. */
export interface AuthorizationRecord extends Omit<StoredAuthorization, 'is_claimed'> {
  /** The record of the fact of this rank; not known of one that was only confirmed. */
  readonly first?: Pick<RecordId, 'topicId' | 'offset'> | undefined;
  /** Who is recording a change that was asked for, until when. */
  readonly change?: {
    readonly id: string;
    readonly content_hash: string;
    readonly until_ms: number;
  } | undefined;
  /** Who decides about the next step, until when. */
  readonly claim?: {
    readonly id: string;
    readonly stage: AuthorizationStage;
    readonly until_ms: number;
  } | undefined;
  /**
   * Of the highest step whose fact may still come into the log, and whose claim it was. They stay
   * when a claim expires: a caller that takes the step over, even after a lower step, gives the
   * same answer.
   */
  readonly marks?: AuthorizationMarks & {
    readonly stage: AuthorizationStage;
    readonly by: string;
  } | undefined;
}

/** A transport order that is not known. */
export const UNKNOWN_ORDER: AuthorizationRecord = {
  stage: 0, shipment_id: '', tracking_number: '', answer: undefined,
};

/** The answer to a claim, and the order after it; unchanged unless the claim was taken. */
export interface ClaimedAuthorization {
  readonly reply: AuthorizationClaimReply;
  readonly order: AuthorizationRecord;
}

/** A transport order as callers see it. */
export function storedOf(order: AuthorizationRecord, nowMs: number): StoredAuthorization {
  const { claim, first: _, marks: __, change: ___, ...stored } = order;
  return { ...stored, is_claimed: claim !== undefined && claim.until_ms > nowMs };
}

/**
 * Folds a fact into its transport order: the highest rank counts, and of one rank what the log has
 * first, so that any order and repetition ends in the same state. A fact that is only confirmed has
 * no record id yet.
 */
export function foldMove(
  order: AuthorizationRecord, event: AuthorizationMove, id: RecordId | undefined,
): AuthorizationRecord {
  const stage = stageOf(event);
  const isEarlier = stage === order.stage && isBefore(id, order.first);
  const before = storedOf(order, 0);
  const after = authorizationDecider.evolve(isEarlier ? undefined : before, event) ?? before;
  const { is_claimed: _, cancellation: __, ...moved } = after;
  const { first, claim, marks, cancellation, change } = order;
  return {
    ...moved,
    change: after === before ? change : undefined,
    first: after === before ? first : firstOf(id),
    claim: claim !== undefined && claim.stage > stage ? claim : undefined,
    marks: marks !== undefined && marks.stage > stage ? marks : undefined,
    // A denial is of the rank above the one that the log knows, and goes when the log comes there.
    ...(cancellation === undefined || stage > order.stage ? {} : { cancellation }),
  };
}

/**
 * Claims the next step of a transport order. A cancellation denies in this very step. The marks to
 * use are those of a caller before that did not finish the same step, else the own ones.
 */
export function claimStep(
  order: AuthorizationRecord, claim: AuthorizationClaim, claimId: string,
  clock: { readonly nowMs: number; readonly leaseMs: number },
): ClaimedAuthorization {
  const { to, cancellation = order.cancellation } = claim;
  if (order.stage !== claim.from) return { reply: { kind: 'moved' }, order };
  if (isHeldByOther(order, claimId, clock.nowMs)) return { reply: { kind: 'busy' }, order };
  if (!mayMove(order, claim)) return { reply: { kind: 'moved' }, order };
  const kept = order.marks;
  const isHigher = kept === undefined || kept.stage < to;
  const marks = isHigher ? { ...claim.marks, stage: to, by: claimId } : kept;
  const { at_ms, test, tracking_number } = marks.stage === to ? marks : claim.marks;
  return {
    reply: { kind: 'taken', marks: { at_ms, test, tracking_number } },
    order: {
      ...order,
      ...(cancellation === undefined ? {} : { cancellation }),
      claim: { id: claimId, stage: to, until_ms: clock.nowMs + clock.leaseMs },
      marks,
    },
  };
}

/** How many changes of an epoch are remembered; one that is asked for beyond is recorded again. */
const CHANGES_MAX = 64;

/** Claims the recording of a change; see `AuthorizationStates.claimChange`. */
export function claimChange(
  order: AuthorizationRecord, { epoch, content_hash }: ChangeOfOrder, claimId: string,
  clock: { readonly nowMs: number; readonly leaseMs: number },
): { readonly reply: ClaimAnswer; readonly order: AuthorizationRecord } {
  const { change, changes = [] } = order;
  if (order.stage !== epoch * 2 - 1 || changes.includes(content_hash)) {
    return { reply: 'moved', order };
  }
  const isHeld = change !== undefined && change.id !== claimId && change.until_ms > clock.nowMs;
  if (isHeld) return { reply: 'busy', order };
  const until_ms = clock.nowMs + clock.leaseMs;
  return { reply: 'taken', order: { ...order, change: { id: claimId, content_hash, until_ms } } };
}

/** Ends the claim of a change, and remembers it when it is in the log. */
export function endChange(
  order: AuthorizationRecord, change: ChangeOfOrder, claimId: string, isRecorded: boolean,
): AuthorizationRecord {
  const own = order.change?.id === claimId ? { ...order, change: undefined } : order;
  return isRecorded ? foldChange(own, change) : own;
}

/** Remembers a change of the epoch that the order is in. */
export function foldChange(
  order: AuthorizationRecord, { epoch, content_hash }: ChangeOfOrder,
): AuthorizationRecord {
  const { changes = [] } = order;
  if (order.stage !== epoch * 2 - 1 || changes.includes(content_hash)) return order;
  return { ...order, changes: [...changes, content_hash].slice(-CHANGES_MAX) };
}

/** True while a claim is held: it was neither ended by a fact, nor given back, nor forgotten. */
export function holdsClaim(order: AuthorizationRecord, claimId: string, nowMs: number): boolean {
  return order.claim?.id === claimId && order.claim.until_ms > nowMs;
}

/**
 * Gives a claim back, if it is still the caller's. What was denied stays denied, and the marks of a
 * caller before stay: its fact may still come into the log.
 */
export function releaseClaim(order: AuthorizationRecord, claimId: string): AuthorizationRecord {
  if (order.claim?.id !== claimId) return order;
  return {
    ...order,
    claim: undefined,
    marks: order.marks?.by === claimId ? undefined : order.marks,
  };
}

function isHeldByOther({ claim }: AuthorizationRecord, claimId: string, nowMs: number): boolean {
  return claim !== undefined && claim.id !== claimId && claim.until_ms > nowMs;
}

/** Past a cancellation only the same cancellation goes, or the authorization that follows it. */
function mayMove(order: AuthorizationRecord, claim: AuthorizationClaim): boolean {
  if (order.cancellation === undefined) return true;
  if (claim.cancellation === undefined) return claim.to > claim.from + 1;
  return JSON.stringify(order.cancellation) === JSON.stringify(claim.cancellation);
}

function isBefore(id: RecordId | undefined, first: AuthorizationRecord['first']): boolean {
  if (id === undefined) return false;
  return first === undefined || (first.topicId === id.topicId && id.offset < first.offset);
}

function firstOf(id: RecordId | undefined): AuthorizationRecord['first'] {
  return id && { topicId: id.topicId, offset: id.offset };
}
