import { SHARDS } from './limits.ts';

/** The shard of a client: FNV-1a of its id. Everything about one client is in one Redis slot. */
export function shardOf(clientId: string): number {
  return hashOf(clientId) % SHARDS;
}

/** One of so many parts of the shard of an id, each an entry with many packed together. */
export function partOfShard(id: string, parts: number): number {
  return Math.floor(hashOf(id) / SHARDS) % parts;
}

function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}

/** The text of a token of a client: two digits of its shard, then 256 random bits (`secret`). */
export function tokenText(clientId: string, secret: string): string {
  return shardOf(clientId).toString(16).padStart(2, '0') + secret;
}

/** The shard that a token names in its first two hexadecimal digits; undefined when malformed. */
export function shardOfToken(token: string): number | undefined {
  if (!/^[0-9a-f]{2}[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
  const shard = Number.parseInt(token.slice(0, 2), 16);
  return shard < SHARDS ? shard : undefined;
}
