import type {
  EntryChange, StateFields, StateKey, StateStore, StateTransaction,
} from '../kernel/state-store.ts';

/** An entry with what a dry run wrote. */
interface DryEntry {
  readonly version: number;
  readonly fields: StateFields;
}

/**
 * A store for one dry run: it reads what is there, and keeps to itself what is written, so that a
 * decision finds its own claims again. Nothing reaches the store behind it (ADR 0093).
 */
export function createDryStore(store: Pick<StateStore, 'read' | 'readMembers'>): StateStore {
  const written = new Map<string, DryEntry>();

  function commitOne(
    { entries }: StateTransaction, read: ReadonlyMap<string, DryEntry>,
  ): boolean {
    const before = entries.map(({ key }) => written.get(nameOf(key)) ?? read.get(nameOf(key)));
    if (entries.some(({ version }, at) => before[at]?.version !== version)) return false;
    entries.forEach((change, at) => {
      written.set(nameOf(change.key), changed(before[at] as DryEntry, change));
    });
    return true;
  }

  return {
    async read(keys, access) {
      const { nowMs, entries } = await store.read(keys, access);
      return {
        nowMs,
        entries: keys.map(({ only, ...key }, at) => {
          const entry = entries[at] as (typeof entries)[number];
          const own = written.get(nameOf(key));
          if (own === undefined) return entry;
          const asked = [...own.fields].filter(([name]) => only?.includes(name) ?? true);
          // No fact of another caller can come between: nothing of this claim goes into the log.
          return { inDoubt: false, version: own.version, fields: new Map(asked) };
        }),
      };
    },

    async commit(transactions, access) {
      const keys = transactions.flatMap(({ entries }) => entries.map(({ key }) => key));
      const { entries } = await store.read(keys, access);
      const read = new Map(keys.map((key, at) => [nameOf(key), entries[at] as DryEntry]));
      return transactions.map((transaction) => commitOne(transaction, read));
    },

    readMembers: (keys, question) => store.readMembers(keys, question),

    /** Only workers take what is due, and workers have no dry runs. */
    takeDue: () => Promise.reject(new Error('A dry run takes nothing that is due.')),
  };
}

/** The entry after a change; without fields it is none, and none has version 0. */
function changed(
  { version, fields }: DryEntry, { set = {}, drop = [], remove }: EntryChange,
): DryEntry {
  const next = new Map(remove === true ? [] : fields);
  for (const name of drop) next.delete(name);
  for (const [name, value] of Object.entries(set)) next.set(name, value);
  return { version: next.size === 0 ? 0 : version + 1, fields: next };
}

function nameOf({ shard, kind, id }: StateKey): string {
  return `${shard}:${kind}:${id}`;
}
