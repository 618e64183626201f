import {
  dueOf, type AuthorizationAsked, type AuthorizationCallEvent, type AuthorizationTried,
  type StoredCall,
} from '../../kernel/authorization-calls.ts';

/** Everything that is kept about one call of a carrier. */
export interface CallRecord {
  /** The ask of the newest round. */
  readonly asked: AuthorizationAsked | undefined;
  /** The try that counts of the newest round that was tried. */
  readonly tried: AuthorizationTried | undefined;
}

/** A call that is not known. */
export const UNKNOWN_CALL: CallRecord = { asked: undefined, tried: undefined };

/** Of two reports of one try the one that ends it counts. */
const END_RANK: Readonly<Record<AuthorizationTried['outcome'], number>> = {
  retry: 0, parked: 1, authorized: 1,
};

/**
 * Folds a fact into its call: the newest round that was asked for, and of its tries the one that
 * counts, so that any order and repetition ends in the same state. The same object when nothing
 * changes.
 */
export function foldCall(call: CallRecord, event: AuthorizationCallEvent): CallRecord {
  if (event.type === 'AuthorizationAsked') {
    return event.round > (call.asked?.round ?? 0) ? { ...call, asked: event } : call;
  }
  return isNewer(event, call.tried) ? { ...call, tried: event } : call;
}

/** A call as the authorizer sees it; undefined before it was asked for. */
export function storedCallOf({ asked, tried }: CallRecord): StoredCall | undefined {
  if (asked === undefined) return undefined;
  return { asked, tried: tried?.round === asked.round ? tried : undefined };
}

/** When a call is due; undefined when it was not asked for, or its last round has ended. */
export function callDueOf({ asked, tried }: CallRecord): number | undefined {
  if (asked === undefined) return undefined;
  return dueOf({ asked, tried: (tried?.round ?? 0) < asked.round ? undefined : tried });
}

/** A later round, then a tracking number, then a later try, then an end before a retry. */
function isNewer(event: AuthorizationTried, kept: AuthorizationTried | undefined): boolean {
  if (kept === undefined || event.round !== kept.round) return event.round > (kept?.round ?? 0);
  const [has, had] = [event, kept].map(({ outcome }) => outcome === 'authorized');
  if (has !== had) return has === true;
  if (event.attempt !== kept.attempt) return event.attempt > kept.attempt;
  return END_RANK[event.outcome] > END_RANK[kept.outcome];
}

/** Where a call stands, in one word. */
export type CallState = 'queued' | 'retrying' | 'authorized' | 'parked' | 'cancelled';

/** Where a call stands: `parked` and `cancelled` wait for someone who asks again. */
export function callStateOf({ tried }: StoredCall): CallState {
  if (tried === undefined) return 'queued';
  if (tried.outcome === 'parked') return tried.reason === 'cancelled' ? 'cancelled' : 'parked';
  return tried.outcome === 'retry' ? 'retrying' : tried.outcome;
}

/** Tries of the newest round; that someone cancelled it was none. */
export function triesOf({ tried }: StoredCall): number {
  if (tried === undefined) return 0;
  return tried.reason === 'cancelled' ? tried.attempt - 1 : tried.attempt;
}

/** Asks again for what waits for that, with another request if there is one; else undefined. */
export function decideResend(
  call: StoredCall, atMs: number, corrected?: AuthorizationAsked['request'],
): AuthorizationAsked | undefined {
  const state = callStateOf(call);
  if (state !== 'parked' && state !== 'cancelled') return undefined;
  const { asked } = call;
  const { personal, ...clear } = asked;
  const next = { ...clear, round: asked.round + 1, at_ms: atMs };
  if (corrected !== undefined) return { ...next, request: corrected };
  return { ...next, ...(personal === undefined ? {} : { personal }) };
}

/**
 * Ends what is still tried: nothing is sent from then on. A try in progress that is answered with a
 * number counts all the same, because the carrier has authorized it.
 */
export function decideCancel(call: StoredCall, atMs: number): AuthorizationTried | undefined {
  const state = callStateOf(call);
  if (state !== 'queued' && state !== 'retrying') return undefined;
  const { call_id, carrier, transport_order_id, shipment_id, round } = call.asked;
  return {
    type: 'AuthorizationTried', call_id, carrier, transport_order_id, shipment_id, round,
    attempt: (call.tried?.attempt ?? 0) + 1, outcome: 'parked', reason: 'cancelled', at_ms: atMs,
  };
}
