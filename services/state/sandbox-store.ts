import { SandboxFull } from '../kernel/sandbox.ts';
import { shardOf } from '../kernel/shards.ts';
import type {
  EntryChange, MemberChange, StateAccess, StateEntry, StateKey, StateStore, StateTransaction,
} from '../kernel/state-store.ts';
import { numberIn } from './entries.ts';
import { ROUNDS_MAX } from './transact.ts';
import { Unavailable } from '../kernel/unavailable.ts';

/** How long and how much a sandbox remembers. */
export interface SandboxLimits {
  /** From the first write to when all of it goes. */
  readonly lifeMs: number;
  readonly entriesMax: number;
}

/** Those of a deployment. */
export const SANDBOX_LIMITS: SandboxLimits = { lifeMs: 86_400_000, entriesMax: 10_000 };

/**
 * Where an entry of a sandbox client lies: in the shard of the client, behind its name, where no
 * worker and no other client asks. `admit.lua` reads devices there.
 */
export function sandboxKey(clientId: string, { shard, kind, id }: StateKey): StateKey {
  return { shard: shardOf(clientId), kind: 'sandbox', id: `${clientId}:${shard}:${kind}:${id}` };
}

/** Of when all of a sandbox goes, and how many entries it has. */
function lifeKey(clientId: string): StateKey {
  return { shard: shardOf(clientId), kind: 'sandbox', id: clientId };
}

/**
 * The store of a sandbox client: a part of the store behind it that no other name leads to. Its
 * entries go together a day after the first write, and there are no more than its limit (ADR 0108).
 */
export function createSandboxStore(
  limits: SandboxLimits, store: StateStore, clientId: string,
): StateStore {
  const keyOf = (key: StateKey): StateKey => sandboxKey(clientId, key);
  const life = lifeKey(clientId);

  async function readLife(access: StateAccess): Promise<{
    readonly entry: StateEntry; readonly untilMs: number; readonly entries: number;
  }> {
    const { nowMs, entries: [found] } = await store.read([life], access);
    const entry = found as StateEntry;
    return {
      entry, untilMs: numberIn(entry.fields, 'until_ms') ?? nowMs + limits.lifeMs,
      entries: numberIn(entry.fields, 'entries') ?? 0,
    };
  }

  /** Tried again while another call of the client counts entries at the same time. */
  async function commitOne(
    transaction: StateTransaction, access: StateAccess,
  ): Promise<boolean> {
    const added = addedBy(transaction);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { entry, untilMs, entries } = await readLife(access);
      if (added > 0 && entries + added > limits.entriesMax) {
        throw new SandboxFull(limits.entriesMax, untilMs);
      }
      const isCounted = added !== 0 || entry.version === 0;
      const counted: EntryChange = {
        key: life, version: entry.version, expireAtMs: untilMs,
        set: { until_ms: String(untilMs), entries: String(Math.max(0, entries + added)) },
      };
      const [isDone] = await store.commit([{
        entries: [
          ...transaction.entries.map((change) => entryUntil(keyOf, change, untilMs)),
          ...isCounted ? [counted] : [],
        ],
        members: (transaction.members ?? []).map((each) => membersUntil(keyOf, each, untilMs)),
      }], access);
      if (isDone === true || !isCounted) return isDone === true;
      if ((await readLife(access)).entry.version === entry.version) return false;
    }
    throw new Unavailable('state_busy', 'apply', 'the sandbox changes too fast');
  }

  return {
    read: (keys, access) => store.read(keys.map((key) => ({ ...key, ...keyOf(key) })), access),
    async commit(transactions, access) {
      const done: boolean[] = [];
      for (const each of transactions) done.push(await commitOne(each, access));
      return done;
    },
    readMembers: (keys, question) => store.readMembers(keys.map(keyOf), question),
    /** Only workers take what is due, and no worker has a sandbox. */
    takeDue: () => Promise.reject(new Error('Nothing is due in a sandbox.')),
  };
}

/** How many entries and members there are more, at most. */
function addedBy({ entries, members = [] }: StateTransaction): number {
  const ofEntries = entries.reduce((sum, { version, set, remove }) => {
    if (remove === true) return version === 0 ? sum : sum - 1;
    return version === 0 && set !== undefined ? sum + 1 : sum;
  }, 0);
  const ofMembers = members.reduce((sum, { add = [], addNew = [], addLeast = [] }) => (
    sum + add.length + addNew.length + addLeast.length
  ), 0);
  return ofEntries + ofMembers;
}

function entryUntil(
  keyOf: (key: StateKey) => StateKey, { key, ...change }: EntryChange, untilMs: number,
): EntryChange {
  const isWritten = change.set !== undefined || change.drop !== undefined;
  if (change.remove === true || !isWritten) return { ...change, key: keyOf(key) };
  return {
    ...change, key: keyOf(key), expireAtMs: Math.min(change.expireAtMs ?? untilMs, untilMs),
  };
}

/** A set has one end: that of the sandbox, whatever its own would be. */
function membersUntil(
  keyOf: (key: StateKey) => StateKey,
  { key, expireAtMs: _, expireAloneAtMs: __, ...change }: MemberChange, untilMs: number,
): MemberChange {
  return { ...change, key: keyOf(key), expireAtMs: untilMs };
}
