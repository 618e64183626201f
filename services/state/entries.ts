import type { EntryChange, StateEntry, StateFields, StateKey } from '../kernel/state-store.ts';

/** An entry as it will be: every field, and when it expires where that changes. */
export interface NextEntry {
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly expireAtMs?: number | undefined;
}

/**
 * The change from an entry to its next fields; undefined when they are the same. An entry that has
 * none left goes.
 */
export function changeOf(
  key: StateKey, { version, fields }: StateEntry, next: NextEntry,
): EntryChange | undefined {
  const wanted = new Map<string, string>();
  for (const [name, value] of Object.entries(next.fields)) {
    if (value !== undefined) wanted.set(name, String(value));
  }
  const set = Object.fromEntries([...wanted].filter(([name, value]) => fields.get(name) !== value));
  const drop = [...fields.keys()].filter((name) => !wanted.has(name));
  if (Object.keys(set).length === 0 && drop.length === 0) return undefined;
  if (wanted.size === 0) return { key, version, remove: true };
  const { expireAtMs } = next;
  return { key, version, set, drop, ...(expireAtMs === undefined ? {} : { expireAtMs }) };
}

/** A number in a field; undefined when there is none. */
export function numberIn(fields: StateFields, name: string): number | undefined {
  const text = fields.get(name);
  return text === undefined ? undefined : Number(text);
}

/** JSON in a field; undefined when there is none. */
export function jsonIn<Value>(fields: StateFields, name: string): Value | undefined {
  const text = fields.get(name);
  return text === undefined ? undefined : JSON.parse(text) as Value;
}
