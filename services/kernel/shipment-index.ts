import type { ClientId, ShipmentId, TrackingNumber, TransportOrderId } from './ids.ts';

/** One authorization that gave a tracking number: ours, or that of a carrier that was asked. */
export interface ShipmentReference {
  readonly tracking_number: TrackingNumber;
  readonly transport_order_id: TransportOrderId;
  readonly shipment_id: ShipmentId;
  /** Who asked for it. */
  readonly platform_client_id?: ClientId | undefined;
  /** Of one that was given here: its number among those of the transport order. */
  readonly epoch?: number;
  /** Of one that a carrier was asked for: the call. */
  readonly call_id?: string;
  readonly at_ms: number;
}

/** What shipments are looked up by, beside their tracking numbers. */
export type ShipmentName = 'shipment_id' | 'transport_order_id';

/** Where a page of tracking numbers ended: when that one was given. */
export interface NumberCursor {
  readonly at_ms: number;
  readonly tracking_number: TrackingNumber;
}

/** One page of tracking numbers, the one given last first. */
export interface NumberPage {
  readonly trackingNumbers: readonly TrackingNumber[];
  readonly next: NumberCursor | undefined;
}

/**
 * Which authorizations gave which tracking numbers, kept by the projector. Every call rejects with
 * `Unavailable` `state_unavailable`, those that read also with `state_not_ready`.
 */
export interface ShipmentIndex {
  /** Applies facts from the log; any order and repetition ends in the same state. */
  add(references: readonly ShipmentReference[]): Promise<void>;
  /** The authorizations of a number, the newest first; there is seldom more than one. */
  ofNumber(trackingNumber: TrackingNumber): Promise<readonly ShipmentReference[]>;
  find(
    by: ShipmentName, id: string, after: NumberCursor | undefined, limit: number,
  ): Promise<NumberPage>;
}
