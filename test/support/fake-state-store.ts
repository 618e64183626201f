import { firstOf } from '../../services/kernel/member-order.ts';
import type { Clock } from '../../services/kernel/clock.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type {
  EntryChange, MemberChange, StateAccess, StateKey, StateKind, StateStore, StateTransaction,
} from '../../services/kernel/state-store.ts';

/** An entry in memory. */
export interface FakeEntry {
  readonly key: StateKey;
  version: number;
  readonly fields: Map<string, string>;
  expireAtMs: number | undefined;
}

/** {@link StateStore} in memory, and what tests need beside it. */
export interface FakeStateStore extends StateStore {
  /** Fails as the test asked; with `requireReady` also without the ready mark. */
  guard(access: StateAccess): void;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  setReady(isReady: boolean): void;
  isReady(): boolean;
  /** Is in doubt after a rebuild until then, by its own clock. */
  doubtUntil(ms: number): void;
  /** Forgets everything, the ready mark included. */
  wipe(): void;
  /** Forgets every entry and sorted set of these kinds. */
  forget(kinds: readonly StateKind[]): void;
  nowMs(): number;
  /** The entry of a key as it is now, for who looks and for who spoils it. */
  entry(key: StateKey): FakeEntry | undefined;
  /** Every entry. */
  all(): readonly FakeEntry[];
  /** Every entry of a kind. */
  ofKind(kind: string): readonly FakeEntry[];
  /** Members of a sorted set by their scores. */
  members(key: StateKey): ReadonlyMap<string, number>;
  /** Every entry and sorted set without versions, to compare two stores. */
  dump(): Readonly<Record<string, unknown>>;
}

/** Makes an empty, ready store; `clock` drives leases and expiry. */
export function fakeStateStore(clock: Clock = { nowMs: () => Date.now() }): FakeStateStore {
  const entries = new Map<string, FakeEntry>();
  const sets = new Map<string, Map<string, number>>();
  const setEnds = new Map<string, number>();
  let versions = 0;
  let isReady = true;
  let doubtUntilMs = 0;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  function guard({ requireReady }: StateAccess): void {
    if (failure !== undefined) throw new Unavailable(failure, 'admit', 'as the test asked');
    if (requireReady && !isReady) throw new Unavailable('state_not_ready', 'admit', 'no ready mark');
  }

  function entryOf(key: StateKey): FakeEntry | undefined {
    const name = nameOf(key);
    const entry = entries.get(name);
    if (entry?.expireAtMs === undefined || entry.expireAtMs > clock.nowMs()) return entry;
    entries.delete(name);
    return undefined;
  }

  function membersOf(key: StateKey): Map<string, number> {
    const name = nameOf(key);
    const isOver = (setEnds.get(name) ?? Infinity) <= clock.nowMs();
    if (isOver) setEnds.delete(name);
    const found = (isOver ? undefined : sets.get(name)) ?? new Map<string, number>();
    sets.set(name, found);
    return found;
  }

  function changeEntry({ key, set = {}, drop = [], expireAtMs, remove }: EntryChange): void {
    if (remove === true) {
      entries.delete(nameOf(key));
      return;
    }
    const kept = entryOf(key) ?? { key, version: 0, fields: new Map(), expireAtMs: undefined };
    for (const name of drop) kept.fields.delete(name);
    for (const [name, value] of Object.entries(set)) kept.fields.set(name, value);
    if (drop.length + Object.keys(set).length > 0) {
      kept.version = versions += 1;
      entries.set(nameOf(key), kept);
    }
    kept.expireAtMs = expireAtMs ?? kept.expireAtMs;
  }

  function changeMembers(change: MemberChange): void {
    const { key, dropBelow, remove = [], add = [], addNew = [], addLeast = [] } = change;
    const members = membersOf(key);
    for (const [member, score] of members) {
      if (dropBelow !== undefined && score < dropBelow) members.delete(member);
    }
    for (const member of remove) members.delete(member);
    for (const { member, score } of add) members.set(member, score);
    for (const { member, score } of addNew) {
      if (!members.has(member)) members.set(member, score);
    }
    for (const { member, score } of addLeast) {
      members.set(member, Math.min(score, members.get(member) ?? score));
    }
    const { expireAtMs, expireAloneAtMs } = change;
    if (expireAtMs !== undefined) {
      setEnds.set(nameOf(key), Math.max(expireAtMs, setEnds.get(nameOf(key)) ?? 0));
    }
    if (expireAloneAtMs !== undefined && members.size === 1) {
      setEnds.set(nameOf(key), expireAloneAtMs);
    }
  }

  function commitOne({ entries: changes, members = [] }: StateTransaction): boolean {
    const isCurrent = changes.every(({ key, version }) => (entryOf(key)?.version ?? 0) === version);
    if (!isCurrent) return false;
    changes.forEach(changeEntry);
    members.forEach(changeMembers);
    return true;
  }

  return {
    async read(keys, access) {
      guard(access);
      const inDoubt = doubtUntilMs > clock.nowMs();
      return {
        nowMs: clock.nowMs(),
        entries: keys.map((key) => {
          const { version, fields } = entryOf(key) ?? { version: 0, fields: [] };
          const read = new Map(fields);
          return {
            version, inDoubt,
            fields: key.only === undefined ? read : new Map(
              [...read].filter(([name]) => key.only?.includes(name)),
            ),
          };
        }),
      };
    },
    async commit(transactions, access) {
      guard(access);
      return transactions.map(commitOne);
    },
    async readMembers(keys, question) {
      guard({ requireReady: true });
      const { least = -Infinity, most = Infinity } = question;
      const found = keys.flatMap((key) => [...membersOf(key)])
        .map(([member, score]) => ({ member, score }))
        .filter(({ score }) => score >= least && score <= most);
      return firstOf(found, question);
    },
    async takeDue(key, untilScore, nextScore, max) {
      guard({ requireReady: true });
      const members = membersOf(key);
      const due = [...members].filter(([, score]) => score <= untilScore)
        .sort(([a, at], [b, other]) => at - other || (a < b ? -1 : 1))
        .slice(0, max).map(([member]) => member);
      for (const member of due) members.set(member, nextScore);
      return due;
    },
    guard,
    failWith: (code) => { failure = code; },
    setReady: (ready) => { isReady = ready; },
    isReady: () => isReady,
    doubtUntil: (ms) => { doubtUntilMs = ms; },
    wipe() {
      entries.clear();
      sets.clear();
      setEnds.clear();
      isReady = false;
    },
    forget(kinds) {
      for (const all of [entries, sets, setEnds]) {
        for (const name of all.keys()) {
          if (kinds.some((kind) => name.includes(`:${kind}:`))) all.delete(name);
        }
      }
    },
    nowMs: () => clock.nowMs(),
    entry: entryOf,
    all: () => [...entries.values()].flatMap(({ key }) => entryOf(key) ?? []),
    ofKind: (kind) => [...entries.values()].filter(({ key }) => key.kind === kind)
      .flatMap(({ key }) => entryOf(key) ?? []),
    members: membersOf,
    dump: () => {
      // A set that was asked for and has no member is none, as in the store itself.
      const filled = [...sets].filter(([, members]) => members.size > 0);
      const all = [
        ...[...entries].map(([name, { fields }]) => [name, fields] as const), ...filled,
      ];
      return Object.fromEntries(
        all.map(([name, content]) => [name, Object.fromEntries<string | number>(content)]),
      );
    },
  };
}

function nameOf({ shard, kind, id }: StateKey): string {
  return `${shard}:${kind}:${id}`;
}
