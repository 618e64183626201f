/** Where something is, degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_M = 6_371_008.8;
const rad = (degrees: number): number => degrees * Math.PI / 180;

/** Haversine on a sphere. */
export function metersBetween(a: Place, b: Place): number {
  const h = Math.sin(rad(b.latitude - a.latitude) / 2) ** 2
    + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude))
    * Math.sin(rad(b.longitude - a.longitude) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.sqrt(h));
}

/** The middle of places. */
export function meanOf(places: readonly Place[]): Place {
  const mean = (of: (place: Place) => number): number => (
    places.reduce((sum, place) => sum + of(place), 0) / places.length
  );
  return { latitude: mean((place) => place.latitude), longitude: mean((place) => place.longitude) };
}

/** The diagonal of the box around places, meters. */
export function extentOf(places: readonly Place[]): number {
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const south = Math.min(...latitudes);
  return Math.hypot(
    rad(Math.max(...latitudes) - south) * EARTH_M,
    rad(Math.max(...longitudes) - Math.min(...longitudes)) * EARTH_M * Math.cos(rad(south)),
  );
}
