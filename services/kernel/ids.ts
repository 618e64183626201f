import type {
  ClientId, DeviceId, ExternalEntityId, ShipmentId, TraceableId, TrackingNumber, TransportId,
  TransportOrderId,
} from '../../schemas/generated/types.ts';

/**
 * Ids by what they name: one of another kind does not compile. They come checked out of the schemas
 * and out of admission; what the domain makes has its type from there.
 */
export type {
  ClientId, DeviceId, ExternalEntityId, ShipmentId, TraceableId, TrackingNumber, TransportId,
  TransportOrderId,
};

/** Ids by the name of the parameter of a path that holds them. */
export interface IdParams {
  readonly device_id: DeviceId;
  readonly shipment_id: ShipmentId;
  readonly tracking_number: TrackingNumber;
  readonly traceable_id: TraceableId;
}

/** Makes values that must not repeat or be guessed; handed in so that decisions stay pure. */
export interface Ids {
  /** A UUIDv7: rises with time. Names one accepted call (`Ingest-Id`). */
  ingestId(): string;
  /** A random name for one claim or request. */
  nonce(): string;
}
