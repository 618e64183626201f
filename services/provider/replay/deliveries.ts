import { shipmentIdOf } from '../carrier/shipment-id.ts';
import type { Long } from '../../kernel/longs.ts';
import type {
  DeliveryLocation, DeliveryLocationsBody, DriverDevice, LocationFix, Traceable,
} from '../../../schemas/generated/types.ts';

/** Who drives and what is carried on one replayed device. */
export interface Cargo {
  readonly entity_id: string;
  readonly transport_id: Long;
}

/** The driver of a device. */
export function driverOf(provider: string, { entity_id }: Cargo): DriverDevice {
  return { external_id: entity_id, external_type: `${provider}-driver` };
}

/** Transports of our own are numbered from here on. */
const TRANSPORTS_BEFORE = 1_000_000;

/**
 * The two shipments on a device: those of the carrier of the same run, two by two. The id of a
 * traceable of the type shipment is the platform's id of that shipment.
 */
export function traceablesOf(
  { run, cargoEvery }: { readonly run: string; readonly cargoEvery: number },
  { transport_id }: Cargo,
): Traceable[] {
  const before = 2 * Math.floor(Number(transport_id) % TRANSPORTS_BEFORE / cargoEvery) - 2;
  return [1, 2].map((n) => ({ id: shipmentIdOf(run, before + n), type: 'shipment' }));
}

/**
 * The fixes of a device as delivery locations of its driver with parcels. Transports with an odd id
 * name both in each location, the others once at the top: the interface allows either.
 */
export function deliveryBody(
  device: DriverDevice, traceables: Traceable[], { transport_id }: Cargo,
  fixes: readonly LocationFix[], nowMs: number,
): DeliveryLocationsBody {
  const post_timestamp = Math.floor(nowMs / 1000);
  if (Number(transport_id) % 2 === 0) {
    return { post_timestamp, device, traceables, locations: fixes.map(withoutVehicle) };
  }
  const locations = fixes.map((fix) => ({ ...withoutVehicle(fix), device, traceables }));
  return { post_timestamp, locations };
}

/** A delivery location has neither a country nor telemetry (interface, Delivery locations body). */
function withoutVehicle({ country_id: _, telemetry: __, ...fix }: LocationFix): DeliveryLocation {
  return fix;
}
