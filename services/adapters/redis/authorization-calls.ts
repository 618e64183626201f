import type {
  AuthorizationAsked, AuthorizationCallEvent, AuthorizationCalls, AuthorizationTried,
} from '../../kernel/authorization-calls.ts';
import { shardOf } from '../../kernel/shards.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { toFields } from './texts.ts';

/** Calls are kept as long as their topic keeps them. */
const KEPT_MS = 90 * 86_400_000;
/** Added to twice the attempt: an end counts before a retry, and a number before everything. */
const END_RANK: Readonly<Record<AuthorizationTried['outcome'], number>> = {
  retry: 0, parked: 1, authorized: 1_000_000,
};
/** One queue for all: who looks for what is due must not ask every shard. */
const QUEUE = keys.authorizationCallsDue(tagOf(0));

/** Calls of carriers as hashes in the shard of their id, and one queue by time. */
export function createAuthorizationCalls(runScript: RunScript): AuthorizationCalls {
  async function settle(
    callId: string, dueMs: number | string | undefined, keeps: boolean,
  ): Promise<void> {
    await runScript('settle-due-call', [QUEUE], [callId, dueMs ?? '', keeps ? 1 : 0]);
  }

  /** The hash first: whoever takes a call from the queue looks into it and puts the queue right. */
  async function merge(event: AuthorizationCallEvent): Promise<void> {
    const { call_id, round, at_ms } = event;
    const isAsked = event.type === 'AuthorizationAsked';
    const reply = await runScript(
      'apply-authorization-call', [keyOf(call_id)],
      [
        isAsked ? 'asked' : 'tried', round, isAsked ? 0 : event.attempt,
        isAsked ? 0 : END_RANK[event.outcome], dueAfter(event) ?? '',
        at_ms + KEPT_MS, JSON.stringify(event),
      ],
    );
    const [changed, due] = reply as readonly [number, string];
    await settle(call_id, due, changed === 0);
  }

  return {
    async takeDue(nowMs, leaseMs, callsMax) {
      const due = await runScript('take-due', [QUEUE], [nowMs, nowMs + leaseMs, callsMax]);
      return due as readonly string[];
    },

    async load(callId) {
      const tag = tagOf(shardOf(callId));
      const fields = toFields(await runScript('read', [keys.ready(tag), keyOf(callId)], []));
      const asked = fields?.get('asked');
      if (asked === undefined) return undefined;
      const isOfRound = fields?.get('tried_round') === fields?.get('asked_round');
      const tried = isOfRound ? fields?.get('tried') : undefined;
      return {
        asked: JSON.parse(asked) as AuthorizationAsked,
        tried: tried === undefined ? undefined : JSON.parse(tried) as AuthorizationTried,
      };
    },

    reschedule: (callId, dueMs) => settle(callId, dueMs, false),

    /** One after the other: the facts of one call come in their order. */
    apply: async (events) => {
      for (const event of events) await merge(event);
    },
  };
}

function keyOf(callId: string): string {
  return keys.authorizationCall(tagOf(shardOf(callId)), callId);
}

function dueAfter(event: AuthorizationCallEvent): number | undefined {
  if (event.type === 'AuthorizationAsked') return event.at_ms;
  return event.outcome === 'retry' ? event.next_attempt_at_ms ?? event.at_ms : undefined;
}
