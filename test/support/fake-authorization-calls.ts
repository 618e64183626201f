import type {
  AuthorizationAsked, AuthorizationCalls, AuthorizationTried, StoredCall,
} from '../../services/kernel/authorization-calls.ts';
import { dueOf } from '../../services/kernel/authorization-calls.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';

/** Calls of carriers in memory, for the tests of who uses them. */
export interface FakeAuthorizationCalls extends AuthorizationCalls {
  /** The queue: when each call is due. */
  readonly due: ReadonlyMap<string, number>;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  wipe(): void;
}

/** Makes an empty, ready store. */
export function fakeAuthorizationCalls(): FakeAuthorizationCalls {
  const asked = new Map<string, AuthorizationAsked>();
  const tried = new Map<string, AuthorizationTried>();
  const due = new Map<string, number>();
  let isReady = true;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  function guard(marked = true): void {
    if (failure !== undefined) throw new Unavailable(failure, 'apply', 'as the test asked');
    if (marked && !isReady) throw new Unavailable('state_not_ready', 'apply', 'no ready mark');
  }

  function callOf(callId: string): StoredCall | undefined {
    const newest = asked.get(callId);
    if (newest === undefined) return undefined;
    const last = tried.get(callId);
    return { asked: newest, tried: last?.round === newest.round ? last : undefined };
  }

  function settle(callId: string, dueMs: number | undefined): void {
    if (dueMs === undefined) due.delete(callId);
    else due.set(callId, dueMs);
  }

  return {
    async takeDue(nowMs, leaseMs, callsMax) {
      guard();
      const ids = [...due].filter(([, at]) => at <= nowMs).sort((a, b) => a[1] - b[1])
        .slice(0, callsMax).map(([id]) => id);
      for (const id of ids) due.set(id, nowMs + leaseMs);
      return ids;
    },
    async load(callId) { guard(); return callOf(callId); },
    async reschedule(callId, dueMs) { guard(false); settle(callId, dueMs); },
    async apply(events) {
      guard(false);
      for (const event of events) {
        const { call_id } = event;
        const isNew = event.type === 'AuthorizationAsked'
          ? event.round > (asked.get(call_id)?.round ?? 0)
          : counts(event, tried.get(call_id));
        if (isNew && event.type === 'AuthorizationAsked') asked.set(call_id, event);
        if (isNew && event.type === 'AuthorizationTried') tried.set(call_id, event);
        const call = callOf(call_id);
        const dueMs = call === undefined ? undefined : dueOf(call);
        if (isNew || dueMs === undefined || !due.has(call_id)) settle(call_id, dueMs);
      }
    },
    due,
    failWith(code) { failure = code; },
    wipe() {
      isReady = false;
      for (const store of [asked, tried, due]) store.clear();
    },
  };
}

/** A later round, then a tracking number, then a later try, then an end before a retry. */
function counts(event: AuthorizationTried, kept: AuthorizationTried | undefined): boolean {
  if (kept === undefined || event.round !== kept.round) return event.round > (kept?.round ?? 0);
  const rank = ({ attempt, outcome }: AuthorizationTried) =>
    attempt * 2 + { retry: 0, parked: 1, authorized: 1_000_000 }[outcome];
  return rank(event) > rank(kept);
}
