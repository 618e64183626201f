import type { Digest } from '../../kernel/digest.ts';
import type { ClientId, DeviceId, ExternalEntityId } from '../../kernel/ids.ts';
import { uuidOf } from '../../kernel/uuid.ts';

/** Whose entity it is, and how the owner calls it. */
export interface EntityName {
  readonly clientId: ClientId;
  readonly entityType: string;
  readonly entityId: ExternalEntityId;
}

/**
 * What is kept of an entity so that it is found again. `keyed` is a hash under the pepper: plates
 * are few, so that a plain hash could be tried out, also after an erasure.
 */
export function entityHashOf(keyed: Digest, name: EntityName): string {
  return keyed(JSON.stringify(['entity', name.clientId, name.entityType, name.entityId]));
}

/**
 * The id of a device: the same for the same owner, entity and generation, and different for any
 * other (decisions.md, Device ids). A UUID of version 8, made from a keyed hash.
 */
export function deviceIdOf(keyed: Digest, entityHash: string, generation: number): DeviceId {
  return uuidOf(keyed(JSON.stringify(['device', entityHash, generation])));
}
