/** Values by key, of which the least used are forgotten. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/**
 * Makes a cache of at most `entriesMax` entries in two generations. When the young one is full it
 * becomes the old one, and what was in the old one is forgotten; what is used moves to the young
 * one. So an entry in use outlives any number of others, and no step costs more than the next
 * (ADR 0033).
 */
export function createBoundedCache<Key, Value>(entriesMax: number): BoundedCache<Key, Value> {
  const generationMax = Math.max(1, Math.floor(entriesMax / 2));
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= generationMax && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    set,
    get(key) {
      const kept = young.get(key);
      if (kept !== undefined) return kept;
      const again = old.get(key);
      if (again !== undefined) set(key, again);
      return again;
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
