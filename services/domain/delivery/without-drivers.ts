import type { DeliveryLocationsBody, DriverDevice } from '../../../schemas/generated/types.ts';
import { driverOf } from './normalize.ts';

/**
 * A post without the locations of some drivers: the same body when it has none of them, undefined
 * when nothing is left.
 */
export function withoutDrivers(
  body: DeliveryLocationsBody, isGone: (driver: DriverDevice) => boolean,
): DeliveryLocationsBody | undefined {
  const locations = body.locations.filter((location) => !isGone(driverOf(body, location)));
  if (locations.length === body.locations.length) return body;
  return locations.length === 0 ? undefined : { ...body, locations };
}
