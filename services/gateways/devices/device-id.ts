import { createHash } from 'node:crypto';

/** Whose device it is and which of its lives. */
export interface DeviceIdentity {
  readonly clientId: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly generation: number;
}

/**
 * The id of a device: the same for the same owner, entity and generation, and different for any
 * other (decisions.md, Device ids). A UUID of version 8, made from SHA-256.
 */
export function deviceIdOf(identity: DeviceIdentity): string {
  const { clientId, entityType, entityId, generation } = identity;
  const named = JSON.stringify([clientId, entityType, entityId, generation]);
  const bytes = createHash('sha256').update(named).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-');
}
