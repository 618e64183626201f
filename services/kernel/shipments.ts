import type {
  ImageReference, JourneyRecorded, NotificationRecordId, NotificationRecorded, ShipmentOwner,
  ShipmentReassigned, ShipmentState,
} from '../../schemas/generated/types.ts';
import type { ClientId, TrackingNumber } from './ids.ts';

/** Facts about a shipment: what a carrier reported, and its outcome. */
export type {
  ImageReference, JourneyRecorded, NotificationRecordId, NotificationRecorded, ShipmentOwner,
  ShipmentReassigned, ShipmentState,
};

/** A shipment as the fold of its journey so far. */
export interface ShipmentJourney {
  /** Whose it is: as declared, else who notified it first. */
  readonly carrier: string;
  /** What was declared about that so far. */
  readonly owner?: ShipmentOwner | undefined;
  /** Record ids of notifications that were kept apart and applied since, newest last; bounded. */
  readonly reapplied?: readonly string[] | undefined;
  /** Absent while nothing was applied. */
  readonly state: ShipmentState | undefined;
  /** Short hashes of the newest distinct contents, oldest first; bounded; none past a final one. */
  readonly contents: readonly string[];
  /** The last notification that is part of this. */
  readonly last_notification: NotificationRecordId;
  /** When that one was received. */
  readonly received_at_ms: number;
}

/** A shipment as the state store holds it. */
export interface StoredShipment {
  /** Who authorized it: the platform side. */
  readonly platform_client_id: ClientId | undefined;
  /** Who carries it: by its authorization, else the first that notified it. */
  readonly carrier_client_id: ClientId | undefined;
  readonly state: ShipmentState | undefined;
}

/** The sides of a shipment as an authorization names them; the newest of each side counts. */
export interface ShipmentParties {
  /** Who authorized it; absent where only its carrier is known. */
  readonly platform_client_id?: ClientId | undefined;
  /** Who will carry it; absent where no client is bound to its number. */
  readonly carrier_client_id?: ClientId | undefined;
  readonly at_ms: number;
}

/**
 * Shipments in the state store, by tracking number. Every call rejects with Unavailable
 * `state_unavailable`, and with `state_not_ready` unless it says otherwise.
 */
export interface ShipmentStates {
  find(trackingNumber: TrackingNumber): Promise<StoredShipment | undefined>;
  /** Whose numbers are by what was declared; those of which nothing was are missing. */
  owners(
    trackingNumbers: readonly TrackingNumber[],
  ): Promise<ReadonlyMap<TrackingNumber, ShipmentOwner>>;
  /** Applies who the sides are; the carrier named here wins over who notified. Needs no mark. */
  authorize(trackingNumber: TrackingNumber, parties: ShipmentParties): Promise<void>;
  /** Applies that an operator said whose a number is. Needs no mark. */
  reassign(fact: ShipmentReassigned): Promise<void>;
  /** The journeys of those that have one; `isMarked: false` is for the rebuild alone. */
  loadJourneys(
    trackingNumbers: readonly TrackingNumber[], isMarked: boolean,
  ): Promise<ReadonlyMap<string, ShipmentJourney>>;
  /** Stores journeys unless a later one is there. Needs no mark. */
  putJourneys(journeys: ReadonlyMap<string, ShipmentJourney>): Promise<void>;
}
