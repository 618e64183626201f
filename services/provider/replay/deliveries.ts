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

/** The two parcels on a device, in one run. */
export function traceablesOf(
  { provider, run }: { readonly provider: string; readonly run: string }, { transport_id }: Cargo,
): Traceable[] {
  return [1, 2].map((n) => (
    { id: `${provider}-parcel-${run}-${transport_id}-${n}`, type: 'shipment' }
  ));
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
