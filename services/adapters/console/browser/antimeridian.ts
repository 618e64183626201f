import type { Collection, Polygons, Position } from './areas.ts';

const HALF_TURN_DEGREES = 180;

/**
 * The same areas for a flat map: a ring that crosses 180° goes on beyond it, where it would
 * otherwise be drawn back across the whole map. A ring around a pole crosses it once and stays.
 */
export function beyondAntimeridian(areas: Collection<Polygons>): Collection<Polygons> {
  return {
    ...areas,
    features: areas.features.map((area) => ({ ...area, geometry: unwrapped(area.geometry) })),
  };
}

function unwrapped(areas: Polygons): Polygons {
  if (areas.type === 'Polygon') return { ...areas, coordinates: areas.coordinates.map(ringOf) };
  return { ...areas, coordinates: areas.coordinates.map((polygon) => polygon.map(ringOf)) };
}

/** Each point within half a turn of the one before it. */
function ringOf(ring: readonly Position[]): Position[] {
  let before = ring[0]?.[0] ?? 0;
  let turned = 0;
  const points = ring.map(([longitude = 0, ...rest]) => {
    if (longitude - before > HALF_TURN_DEGREES) turned -= 2 * HALF_TURN_DEGREES;
    else if (before - longitude > HALF_TURN_DEGREES) turned += 2 * HALF_TURN_DEGREES;
    before = longitude;
    return [longitude + turned, ...rest];
  });
  return turned === 0 ? points : [...ring];
}
