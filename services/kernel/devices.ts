import type {
  DeviceLifecycleRecord, DeviceRegistered, DeviceTrackingStarted, DeviceTrackingStopped,
  RecordedDeviceSpecs,
} from '../../schemas/generated/types.ts';
import type { SealedPersonal } from './personal.ts';
import type { RecordId } from './record-id.ts';
import type { ClientId, DeviceId, ExternalEntityId, TransportId } from './ids.ts';

/**
 * The stage of a device: 0 not known, 1 registered (active, may not send), 2 tracking (may
 * send), 3 stopped (inactive, final). A device only ever moves up, so applying facts is a maximum.
 */
export type DeviceStage = 0 | 1 | 2 | 3;

/** A device as the state store holds it. Times are milliseconds since 1970. */
export interface StoredDevice {
  readonly device_id: DeviceId;
  readonly client_id: ClientId;
  readonly user_id: string;
  readonly entity_type: string;
  /** In `personal` as long as it is sealed. */
  readonly entity_id?: ExternalEntityId;
  readonly generation: number;
  readonly transport_id: TransportId;
  readonly device_specs: RecordedDeviceSpecs;
  /** What of it is personal; see domain/device/sealed-device.ts. */
  readonly personal?: SealedPersonal;
  /** The stage that the log knows. */
  readonly epoch: DeviceStage;
  /** A stop was claimed and denies sending already, but is not in the log: stop it again. */
  readonly stop_unconfirmed?: true;
  readonly date_created_ms: number;
  readonly last_updated_ms: number;
  readonly last_status_updated_ms: number;
}

/** A device with the steps of its life, each at its earliest time. */
export interface ListedDevice extends StoredDevice {
  readonly started_at_ms?: number;
  readonly stopped_at_ms?: number;
}

/** Where a page of the devices of a transport ended: when that device was registered. */
export interface DeviceCursor {
  readonly registered_at_ms: number;
  readonly device_id: DeviceId;
}

/** One page of the devices of a transport, the newest first. */
export interface DevicePage {
  readonly devices: readonly ListedDevice[];
  readonly next: DeviceCursor | undefined;
}

/**
 * Devices of all clients, for the platform, with indexes that the projector keeps: a device is
 * found a moment after its registration. Every call rejects with `Unavailable` `state_unavailable`
 * or `state_not_ready`.
 */
export interface DeviceDirectory {
  find(deviceId: DeviceId): Promise<ListedDevice | undefined>;
  /** Devices that were registered for a transport by any client, stopped or not. */
  ofTransport(
    transportId: string, after: DeviceCursor | undefined, limit: number,
  ): Promise<DevicePage>;
  /** Clients that have registered a device: those of one shard, behind one of them. */
  clientsOf(
    shard: number, after: ClientId | undefined, limit: number,
  ): Promise<readonly ClientId[]>;
}

/** The newest device of an external entity. */
export interface EntityPointer {
  readonly generation: number;
  readonly device_id: DeviceId;
}

/** Facts about a device, as recorded in `rtt.device-lifecycle.v1`. */
export type { DeviceRegistered, DeviceTrackingStarted, DeviceTrackingStopped };

/** Any fact about a device. */
export type DeviceEvent = DeviceLifecycleRecord;

/** Statistics data of a device, under the names of the request (interface, Device resource). */
export type { RecordedDeviceSpecs };

/**
 * The answer to a claim: taken (go on and append), busy (another call holds it, look again) or
 * moved (the state is no longer what the decision was made on, decide again).
 */
export type ClaimAnswer = 'taken' | 'busy' | 'moved';

/**
 * Live state of devices in the state store. Every call rejects with `Unavailable`
 * `state_unavailable` or `state_not_ready`. A claim is a compare-and-set with a lease: an expired
 * one may be taken over.
 */
export interface DeviceStates {
  load(clientId: ClientId, deviceId: DeviceId): Promise<StoredDevice | undefined>;
  /** The newest device of an entity, by the keyed hash of its name. */
  loadEntity(clientId: ClientId, entityHash: string): Promise<EntityPointer | undefined>;
  /**
   * Claims the next generation of an entity; `event.generation - 1` must be the current one. The
   * name of the entity is not kept.
   */
  claimRegistration(event: DeviceRegistered, claimId: string): Promise<ClaimAnswer>;
  /** Claims a start or a stop; a stop denies sending in the same step. */
  claimTransition(
    event: DeviceTrackingStarted | DeviceTrackingStopped, from: DeviceStage, claimId: string,
  ): Promise<ClaimAnswer>;
  /**
   * Makes an appended fact visible and releases the claim. False when the claim was no longer the
   * caller's: it was confirmed before, its lease ended, or the store was wiped and forgot it. Then
   * another caller may have the answer that it happened.
   */
  confirm(event: DeviceEvent, claimId: string): Promise<boolean>;
  /** Gives a claim back after the log certainly did not take the fact (a stop stays denied). */
  release(event: DeviceEvent, claimId: string): Promise<void>;
  /**
   * Applies facts from the log in their order; an older offset, a lower stage and an older
   * generation change nothing. `recordId` names the record.
   */
  apply(facts: readonly { event: DeviceEvent; recordId: RecordId }[]): Promise<void>;
}
