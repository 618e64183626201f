import { firstOf } from '../../kernel/member-order.ts';
import type {
  EntryChange, EntryQuestion, MemberChange, MemberQuestion, StateAccess, StateEntry, StateKey,
  StateKind, StateMember, StateStore, StateTransaction,
} from '../../kernel/state-store.ts';
import { passSteps } from '../signals/steps.ts';
import type { RedisConfig } from './config.ts';
import { nameOfEntry, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';

type Args = readonly (string | number)[];
type ReadReply = readonly [number, ...(readonly [number, readonly string[]])[]];

/** What a step of a commit is of: a kind of which it writes entries or members. */
export type CommitOf = `commit-${StateKind}`;

interface Numbered<Item> {
  readonly at: number;
  readonly item: Item;
}

const VERSION_FIELD = 'v';
const REMOVED = -1;
const WHOLE = -1;

/** Entries as hashes with a version in field `v`, read and changed by two scripts. */
export function createStateStore(config: RedisConfig, runScript: RunScript): StateStore {
  /** Runs items in calls that stay within a shard, and puts the answers back into their order. */
  async function inCalls<Item, Answer>(
    items: readonly Item[], shardOf: (item: Item) => number,
    run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> {
    const placed = items.map((item, at): Placed<Numbered<Item>> => (
      { tag: tagOf(shardOf(item)), item: { at, item } }
    ));
    const answers: Answer[] = [];
    await Promise.all(callsOf(placed, config.applyBatchMax, config.cluster).map(async (call) => {
      const found = await run(call.map(({ item }) => item.item));
      call.forEach(({ item }, i) => { answers[item.at] = found[i] as Answer; });
    }));
    return answers;
  }

  async function readCall(
    keys: readonly EntryQuestion[], access: StateAccess,
  ): Promise<readonly { nowMs: number; entry: StateEntry }[]> {
    const [nowMs, ...found] = await runScript(
      'read-entries', keys.map(nameOfEntry), [markArg(access), ...keys.flatMap(onlyArgs)],
    ) as ReadReply;
    return found.map(([rebuilt, flat]) => ({ nowMs, entry: toEntry(rebuilt === 1, flat) }));
  }

  async function commitCall(
    transactions: readonly StateTransaction[], access: StateAccess,
  ): Promise<readonly boolean[]> {
    passSteps('redis.before', () => writtenBy(transactions));
    const reply = await runScript(
      'commit-entries', transactions.flatMap(namesOf),
      [markArg(access), ...transactions.flatMap(transactionArgs)],
    );
    passSteps('redis.after', () => writtenBy(transactions));
    return (reply as readonly number[]).map((answer) => answer === 1);
  }

  async function membersCall(
    keys: readonly StateKey[], { order, least, most, after, max }: MemberQuestion,
  ): Promise<readonly (readonly StateMember[])[]> {
    const found = await runScript('read-members', keys.map(nameOfEntry), [
      order, least ?? '-inf', most ?? '+inf', after?.score ?? '', after?.member ?? '', max,
    ]) as readonly (readonly string[])[];
    return found.map(toMembers);
  }

  return {
    async readMembers(keys, question) {
      const found = await inCalls(
        keys, ({ shard }) => shard, (call) => membersCall(call, question),
      );
      return firstOf(found.flat(), question);
    },
    async read(keys, access) {
      const found = await inCalls(keys, ({ shard }) => shard, (call) => readCall(call, access));
      return {
        nowMs: found.reduce((latest, { nowMs }) => Math.max(latest, nowMs), 0),
        entries: found.map(({ entry }) => entry),
      };
    },
    commit: (transactions, access) => inCalls(
      transactions, shardOfTransaction, (call) => commitCall(call, access),
    ),
    async takeDue(key, untilScore, nextScore, max) {
      const due = await runScript('take-due', [nameOfEntry(key)], [untilScore, nextScore, max]);
      return due as readonly string[];
    },
  };
}

/** Each kind once; an entry of which only the version is checked is not written. */
function writtenBy(transactions: readonly StateTransaction[]): Iterable<CommitOf> {
  return new Set(transactions.flatMap(({ entries, members = [] }) => [
    ...entries.filter(({ set, drop, remove }) => (set ?? drop ?? remove) !== undefined), ...members,
  ].map(({ key }): CommitOf => `commit-${key.kind}`)));
}

function markArg({ requireReady }: StateAccess): number {
  return requireReady ? 1 : 0;
}

function onlyArgs({ only }: EntryQuestion): Args {
  return only === undefined ? [WHOLE] : [only.length, ...only];
}

function toEntry(inDoubt: boolean, flat: readonly string[]): StateEntry {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '');
  const version = Number(fields.get(VERSION_FIELD) ?? 0);
  fields.delete(VERSION_FIELD);
  return { version, fields, inDoubt };
}

function toMembers(flat: readonly string[]): readonly StateMember[] {
  const members: StateMember[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    members.push({ member: flat[i] ?? '', score: Number(flat[i + 1]) });
  }
  return members;
}

function shardOfTransaction({ entries, members = [] }: StateTransaction): number {
  return (entries[0] ?? members[0])?.key.shard ?? 0;
}

function namesOf({ entries, members = [] }: StateTransaction): readonly string[] {
  return [...entries, ...members].map(({ key }) => nameOfEntry(key));
}

/** The arguments of one transaction in the order that `scripts/commit-entries.lua` names. */
function transactionArgs({ entries, members = [] }: StateTransaction): Args {
  const body = [...entries.flatMap(entryArgs), ...members.flatMap(memberArgs)];
  return [
    entries.length, members.length, body.length, ...entries.map(({ version }) => version), ...body,
  ];
}

function entryArgs({ set = {}, drop = [], expireAtMs, remove }: EntryChange): Args {
  if (remove === true) return [0, REMOVED, ''];
  const sets = Object.entries(set).flat();
  return [sets.length, drop.length, expireAtMs ?? '', ...sets, ...drop];
}

function memberArgs(
  { remove = [], add = [], addNew = [], addLeast = [], ...change }: MemberChange,
): Args {
  return [
    change.dropBelow ?? '', change.expireAtMs ?? '', change.expireAloneAtMs ?? '', remove.length, add.length, addNew.length, addLeast.length,
    ...remove, ...[...add, ...addNew, ...addLeast].flatMap(scoreAndMember),
  ];
}

function scoreAndMember({ member, score }: StateMember): Args {
  return [score, member];
}
