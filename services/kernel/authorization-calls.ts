import type { AuthorizationAsked, AuthorizationTried } from '../../schemas/generated/types.ts';
import type { DueQueue } from './due-queue.ts';

/** What the platform wants from a carrier, and each try: `shipment.authorization-calls.v1`. */
export type { AuthorizationAsked, AuthorizationTried };

/** Any fact about a call of a carrier. */
export type AuthorizationCallEvent = AuthorizationAsked | AuthorizationTried;

/** A call of a carrier's authorization endpoint as the state store holds it. */
export interface StoredCall {
  /** The newest round: an operator may have a parked call tried again. */
  readonly asked: AuthorizationAsked;
  /** The last try of that round; absent before the first. */
  readonly tried: AuthorizationTried | undefined;
}

/** When calls were asked for last, milliseconds since epoch; both ends belong to it. */
export interface CallRange {
  readonly since_ms: number;
  readonly until_ms: number;
}

/** Where a page of calls ended: when that one was asked for last. */
export interface CallCursor {
  readonly at_ms: number;
  readonly call_id: string;
}

/** One page of calls, the one asked for last first. */
export interface CallPage {
  readonly calls: readonly StoredCall[];
  readonly next: CallCursor | undefined;
}

/**
 * Calls of carriers in the state store, with a queue by the time at which each is due. Every call
 * rejects with `Unavailable` `state_unavailable` or `state_not_ready` (applying only the first).
 * Applying merges, so any order and repetition ends in the same state.
 */
export interface AuthorizationCalls extends DueQueue {
  load(callId: string): Promise<StoredCall | undefined>;
  list(range: CallRange, after: CallCursor | undefined, limit: number): Promise<CallPage>;
  apply(events: readonly AuthorizationCallEvent[]): Promise<void>;
}

/** When a call is due; undefined when its round has ended. */
export function dueOf({ asked, tried }: StoredCall): number | undefined {
  if (tried === undefined) return asked.at_ms;
  return tried.outcome === 'retry' ? tried.next_attempt_at_ms ?? tried.at_ms : undefined;
}
