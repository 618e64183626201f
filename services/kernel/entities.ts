import type { EntityPointer, ListedDevice } from './devices.ts';
import type { ClientId, DeviceId } from './ids.ts';

/** An entity of a client, by the keyed hash of its name. */
export interface HashedEntity {
  readonly clientId: ClientId;
  readonly entityHash: string;
}

/** A device, and the client that it must belong to. */
export interface OwnedDevice {
  readonly clientId: ClientId;
  readonly deviceId: DeviceId;
}

/**
 * Finds devices by the names of their entities, of clients that are named: nothing of another one
 * is ever read. Every call rejects with `Unavailable` `state_unavailable` or `state_not_ready`.
 */
export interface EntityDirectory {
  /** Of each client the types that its entities have, in order; a bounded number of them. */
  typesOf(clientIds: readonly ClientId[]): Promise<readonly (readonly string[])[]>;
  /** The newest device of each entity, in the order of the question. */
  newest(entities: readonly HashedEntity[]): Promise<readonly (EntityPointer | undefined)[]>;
  /** In the order of the question; those that are gone, or another client's, are left out. */
  devices(owned: readonly OwnedDevice[]): Promise<readonly ListedDevice[]>;
}
