import type { NaiveFix } from './naive-fix.ts';

/** Haversine on a sphere of 6,371,008.8 m. */
export function metersBetween(
  a: Pick<NaiveFix, 'latitude' | 'longitude'>, b: Pick<NaiveFix, 'latitude' | 'longitude'>,
): number {
  const rad = (degrees: number): number => degrees * Math.PI / 180;
  const h = Math.sin(rad(b.latitude - a.latitude) / 2) ** 2
    + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude))
    * Math.sin(rad(b.longitude - a.longitude) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}
