import type { Collection, Polygons, Position } from './areas.ts';

/** A point of the map. */
interface Point {
  readonly type: 'Point';
  readonly coordinates: Position;
}

/** Where the name of each country is written: once, in the middle of its largest part. */
export function countryNames(areas: Collection<Polygons>): Collection<Point> {
  const features = areas.features.map(({ properties, geometry }) => {
    const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const middles = parts.map(([coast = []]) => middleOf(coast));
    const largest = middles.reduce((one, other) => (other.area > one.area ? other : one));
    const point = { type: 'Point', coordinates: largest.at } as const;
    return { type: 'Feature', properties, geometry: point } as const;
  });
  return { type: 'FeatureCollection', features };
}

/** Centre of gravity and area of a ring, in degrees. */
function middleOf(ring: readonly Position[]): { readonly at: Position; readonly area: number } {
  let [twice, x, y] = [0, 0, 0];
  ring.forEach(([right = 0, top = 0], at) => {
    const [left = right, bottom = top] = ring[at - 1] ?? [];
    const cross = left * top - right * bottom;
    twice += cross;
    x += (left + right) * cross;
    y += (bottom + top) * cross;
  });
  const [first = 0, second = 0] = ring[0] ?? [];
  if (twice === 0) return { at: [first, second], area: 0 };
  return { at: [x / (3 * twice), y / (3 * twice)], area: Math.abs(twice) / 2 };
}
