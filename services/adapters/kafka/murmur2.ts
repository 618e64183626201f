/**
 * The partition of a key under Kafka's default partitioner (Java `Utils.murmur2`), so that every
 * client, ours or not, puts one key into one partition.
 */
export function partitionOf(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

/** Kafka's murmur2 in int32 arithmetic; the result is a signed 32-bit integer as in Java. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const whole = length & ~3;
  let hash = 0x9747b28c ^ length;
  for (let at = 0; at < whole; at += 4) {
    const word = byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16)
      | (byte(bytes, at + 3) << 24);
    let mixed = Math.imul(word, 0x5bd1e995);
    mixed = Math.imul(mixed ^ (mixed >>> 24), 0x5bd1e995);
    hash = Math.imul(hash, 0x5bd1e995) ^ mixed;
  }
  const left = length - whole;
  if (left >= 3) hash ^= byte(bytes, whole + 2) << 16;
  if (left >= 2) hash ^= byte(bytes, whole + 1) << 8;
  if (left >= 1) hash = Math.imul(hash ^ byte(bytes, whole), 0x5bd1e995);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return (hash ^ (hash >>> 15)) | 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
