import type {
  ImageReference, JourneyRecorded, NotificationRecordId, NotificationRecorded, ShipmentState,
} from '../../schemas/generated/types.ts';
import type { ClientId, TrackingNumber } from './ids.ts';

/** Facts about a shipment: what a carrier reported, and its outcome. */
export type {
  ImageReference, JourneyRecorded, NotificationRecordId, NotificationRecorded, ShipmentState,
};

/** A shipment as the fold of its journey so far. */
export interface ShipmentJourney {
  /** Client that notified it first. */
  readonly carrier: string;
  /** Absent while nothing was applied. */
  readonly state: ShipmentState | undefined;
  /** Short hashes of the newest distinct contents, oldest first; bounded. */
  readonly contents: readonly string[];
  /** The last notification that is part of this. */
  readonly last_notification: NotificationRecordId;
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
 * The answer to a claim of shipments: all are the client's already, or now reserved for it until
 * they are confirmed; or one is another carrier's, or another carrier is just notifying it.
 */
export type ShipmentClaimAnswer = 'owned' | 'reserved' | 'foreign' | 'busy';

/**
 * The owner of reserved shipments: all are the client's, or one is another's. Unknown when the
 * reservation was lost: then the projector must apply the log first.
 */
export type ShipmentConfirmAnswer = 'owned' | 'foreign' | 'unknown';

/**
 * Shipments in the state store, by tracking number. Every call rejects with Unavailable
 * `state_unavailable`, and with `state_not_ready` unless it says otherwise.
 */
export interface ShipmentStates {
  find(trackingNumber: TrackingNumber): Promise<StoredShipment | undefined>;
  /** Reserves those without an owner for the client, with a lease; the first writer wins. */
  claim(
    trackingNumbers: readonly TrackingNumber[], clientId: ClientId,
  ): Promise<ShipmentClaimAnswer>;
  /**
   * Makes the client the carrier of those that are still reserved for it, once its notifications
   * are durable. A reservation counts only if no other ended without a carrier before it, and not
   * in a store that was rebuilt recently: else another's notification may be first in the log.
   */
  confirm(
    trackingNumbers: readonly TrackingNumber[], clientId: ClientId,
  ): Promise<ShipmentConfirmAnswer>;
  /** Applies who the sides are; the carrier named here wins over who notified. Needs no mark. */
  authorize(trackingNumber: TrackingNumber, parties: ShipmentParties): Promise<void>;
  /** The journeys of those that have one; `isMarked: false` is for the rebuild alone. */
  loadJourneys(
    trackingNumbers: readonly TrackingNumber[], isMarked: boolean,
  ): Promise<ReadonlyMap<string, ShipmentJourney>>;
  /** Stores journeys unless a later one is there. Needs no mark. */
  putJourneys(journeys: ReadonlyMap<string, ShipmentJourney>): Promise<void>;
}
