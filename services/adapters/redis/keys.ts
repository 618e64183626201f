import { createHash } from 'node:crypto';
import type { CallLimitName, TenantLimitName } from '../../kernel/admission.ts';
import { SHARDS } from '../../kernel/limits.ts';
import { shardOf } from '../../kernel/shards.ts';
import type { StateKey } from '../../kernel/state-store.ts';

/** The hash tag of a shard: always five characters, because the scripts cut it off the keys. */
export function tagOf(shard: number): string {
  return `{s${String(shard).padStart(2, '0')}}`;
}

/** Every shard's tag, in order. */
export const TAGS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => tagOf(shard));

/** The tag of the shard that holds everything about a client. */
export function tagOfClient(clientId: string): string {
  return TAGS[shardOf(clientId)] ?? tagOf(0);
}

/** The name of an entry of the state store. */
export function nameOfEntry({ shard, kind, id }: StateKey): string {
  return id === '' ? `${tagOf(shard)}:${kind}` : `${tagOf(shard)}:${kind}:${id}`;
}

/** The limits of a client, each with the word for its bucket in `admit.lua`. */
export const CLIENT_BUCKETS = [
  ['client', 'req'], ['client-locations', 'loc'], ['client-notifications', 'ntf'],
  ['client-bytes', 'byt'],
] as const satisfies readonly (readonly [CallLimitName, string])[];

type ClientBucketKind = (typeof CLIENT_BUCKETS)[number][1];

/** Names of the keys, each behind the tag of its shard. README.md lists what they hold. */
export const keys = {
  ready: (tag: string) => `${tag}:ready`,
  rebuild: (tag: string) => `${tag}:rebuild`,
  checkpoint: (tag: string) => `${tag}:checkpoint`,
  fixesComplete: (tag: string) => `${tag}:fixes-complete`,
  client: (tag: string, clientId: string) => `${tag}:client:${clientId}`,
  token: (tag: string, tokenHash: string) => `${tag}:token:${tokenHash}`,
  lastFix: (tag: string, deviceId: string) => `${tag}:last-fix:${deviceId}`,
  traceable: (tag: string, clientId: string, digest: string) =>
    `${tag}:traceable:${clientId}:${digest}`,
  fleet: (tag: string, clientId: string) => `${tag}:fleet:${clientId}`,
  tokenRequests: (tag: string, kind: 'client' | 'address', id: string) =>
    `${tag}:quota:token-${kind}:${id}`,
  tokenFailures: (tag: string, slot: number) => `${tag}:quota:token-failures:${slot}`,
  tenantUse: (tag: string, limit: TenantLimitName, id: string) => `${tag}:quota:${limit}:${id}`,
  clientUse: (tag: string, kind: ClientBucketKind, id: string) => `${tag}:quota:${kind}:${id}`,
  defects: (tag: string, worker: string) => `${tag}:defects:${worker}`,
  refusals: (tag: string, clientId: string) => `${tag}:refusals:${clientId}`,
  refusalClients: (tag: string) => `${tag}:refusal-clients`,
  taken: (tag: string, clientId: string) => `${tag}:taken:${clientId}`,
  folds: `${tagOf(0)}:folds`,
  pendingInserts: (group: string) => `pending-inserts:${group}`,
};

/** Which of so many shared counters is for a client id and the address that named it. */
export function failureSlot(clientId: string, address: string, slots: number): number {
  const digest = createHash('sha256').update(`${clientId}\0${address}`).digest();
  return digest.readUInt32BE(0) % slots;
}

/** SHA-256 of a text, as 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A fixed-length name for an entity, whatever characters its type and id are made of. */
export function entityDigest(entityType: string, entityId: string): string {
  return sha256Hex(`${entityType}\0${entityId}`);
}

/**
 * A name for an address, or for what a caller gave as its client id, that does not reveal it: some
 * take the secret for the id.
 */
export function callerDigest(given: string): string {
  return sha256Hex(given).slice(0, 32);
}
