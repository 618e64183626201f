/** Counts names that differ, by one bit for each hash. Equal hashes count once: never too many. */
export interface NameCount {
  readonly seen: Uint32Array;
  differing: number;
}

const HASH_BITS = 16;
const WORD_BITS = 5;
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A count of none. */
export function createNameCount(): NameCount {
  return { seen: new Uint32Array(1 << (HASH_BITS - WORD_BITS)), differing: 0 };
}

/** Counts the name in these bytes, by FNV-1a folded to 16 bits; gives how many differ so far. */
export function countName(
  names: NameCount, bytes: Uint8Array, from: number, to: number,
): number {
  let hash = FNV_BASIS;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
  const slot = (hash ^ (hash >>> HASH_BITS)) & ((1 << HASH_BITS) - 1);
  const [word, bit] = [slot >>> WORD_BITS, 1 << (slot & ((1 << WORD_BITS) - 1))];
  const known = names.seen[word] ?? 0;
  if ((known & bit) === 0) {
    names.seen[word] = known | bit;
    names.differing += 1;
  }
  return names.differing;
}
