import type { Feature, FeatureCollection, Position } from 'geojson';

/** Where the name of each country is written: once, in the middle of its largest part. */
export function countryNames(areas: FeatureCollection): FeatureCollection {
  const features = areas.features.flatMap(({ properties, geometry }): Feature[] => {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return [];
    const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const middles = parts.map(([coast = []]) => middleOf(coast));
    const largest = middles.reduce((one, other) => (other.area > one.area ? other : one));
    return [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: largest.at } }];
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
