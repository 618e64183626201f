import type { AuthorizationCalls, AuthorizationCallEvent } from '../kernel/authorization-calls.ts';
import { SHARDS } from '../kernel/limits.ts';
import { shardOf } from '../kernel/shards.ts';
import type {
  StateFields, StateKey, StateStore, StateTransaction,
} from '../kernel/state-store.ts';
import {
  callDueOf, foldCall, storedCallOf, type CallRecord,
} from '../domain/authorization/call-projection.ts';
import { createDueQueue } from './due-queue.ts';
import { changeOf, jsonIn } from './entries.ts';
import { byEntry, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transactEach, type Work } from './transact.ts';

/** Calls are kept as long as their topic keeps them. */
const KEPT_MS = 90 * 86_400_000;
/** One queue for all: who looks for what is due must not ask every shard. */
const QUEUE: StateKey = { shard: 0, kind: 'authorization-calls-due', id: '' };

/** In each shard its calls by when they were asked for last. */
const LISTS: readonly StateKey[] = Array.from({ length: SHARDS }, (_, shard) => listOf(shard));

function listOf(shard: number): StateKey {
  return { shard, kind: 'authorization-calls', id: '' };
}

/** What folding brought about one call: when it is due now, and whether that is news. */
interface Folded {
  readonly callId: string;
  readonly dueMs: number | undefined;
  readonly isChanged: boolean;
}

/** Calls of carriers in the shard of their id, and one queue by time. */
export function createAuthorizationCalls(store: StateStore): AuthorizationCalls {
  const queue = createDueQueue(store, QUEUE);

  /** A call in progress keeps its lease when nothing about it is new. */
  async function queueUp({ callId, dueMs, isChanged }: Folded): Promise<void> {
    if (isChanged || dueMs === undefined) await queue.reschedule(callId, dueMs);
    else await queue.enqueue(callId, dueMs);
  }

  return {
    ...queue,

    async list({ since_ms, until_ms }, after, limit) {
      const members = await store.readMembers(LISTS, {
        order: 'falling', least: since_ms, most: until_ms, max: limit + 1,
        after: after && { score: after.at_ms, member: after.call_id },
      });
      const shown = members.slice(0, limit);
      const last = shown.at(-1);
      const { entries } = await store.read(shown.map(({ member }) => keyOf(member)), READY);
      return {
        calls: entries.flatMap(({ fields }) => storedCallOf(callIn(fields)) ?? []),
        next: members.length > limit && last !== undefined
          ? { at_ms: last.score, call_id: last.member } : undefined,
      };
    },

    async load(callId) {
      const { entries } = await store.read([keyOf(callId)], READY);
      return storedCallOf(callIn(entries[0]?.fields));
    },

    /** The calls first: a process that takes one from the queue reads it and corrects the queue. */
    apply: async (events) => {
      const groups = byEntry(events.map((fact) => ({ key: keyOf(fact.call_id), fact })));
      const works = groups.map((group) => folding(group.map(({ fact }) => fact)));
      const folded = await transactEach(store, FROM_THE_LOG, works);
      await Promise.all(folded.map(queueUp));
    },
  };
}

function keyOf(callId: string): StateKey {
  return { shard: shardOf(callId), kind: 'authorization-call', id: callId };
}

/** Folds the facts of one call, of which there is at least one. */
function folding(events: readonly AuthorizationCallEvent[]): Work<Folded> {
  const callId = events[0]?.call_id ?? '';
  const key = keyOf(callId);
  return {
    keys: [key],
    decide([entry]) {
      const kept = callIn(entry?.fields);
      let [call, expireAtMs] = [kept, 0];
      for (const event of events) {
        const next = foldCall(call, event);
        if (next !== call) expireAtMs = event.at_ms + KEPT_MS;
        call = next;
      }
      const { asked, tried } = call;
      const change = entry && changeOf(key, entry, {
        fields: {
          asked: asked && JSON.stringify(asked), tried: tried && JSON.stringify(tried),
        },
        expireAtMs,
      });
      return {
        result: { callId, dueMs: callDueOf(call), isChanged: call !== kept },
        transaction: change && { entries: [change], ...listing(callId, call) },
      };
    },
  };
}

/** Where it is listed: with it, in the same step. What the topic has not any more goes. */
function listing(callId: string, { asked }: CallRecord): Pick<StateTransaction, 'members'> {
  if (asked === undefined) return {};
  const score = asked.at_ms;
  const key = listOf(shardOf(callId));
  return { members: [{ key, dropBelow: score - KEPT_MS, add: [{ member: callId, score }] }] };
}

function callIn(fields: StateFields | undefined): CallRecord {
  return {
    asked: fields && jsonIn<CallRecord['asked']>(fields, 'asked'),
    tried: fields && jsonIn<CallRecord['tried']>(fields, 'tried'),
  };
}
