import type { ZoneDraft } from '../../domain/zone/zone.ts';

type Polygons = NonNullable<ZoneDraft['polygons']>;

/** A circle or polygons, as a version of a zone has it. */
export type ZoneShape = Pick<ZoneDraft, 'circle' | 'polygons'>;

/** Most points of all rings of a zone; each fix in its box is compared with all of them. */
export const POINTS_MAX = 1_000;
/** Most meters of the radius of a circle. */
const RADIUS_M_MAX = 1_000_000;
const RING_POINTS_MIN = 4;

/** Reads `LATITUDE,LONGITUDE,METERS`, or says in a sentence what is wrong with it. */
export function circleFrom(text: string): ZoneShape | string {
  const [latitude = Number.NaN, longitude = Number.NaN, radius_m = Number.NaN, ...more] =
    text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (more.length > 0 || [latitude, longitude, radius_m].some(Number.isNaN)) {
    return 'A circle is LATITUDE,LONGITUDE,METERS, such as -23.55,-46.63,250.';
  }
  return circleOf(latitude, longitude, radius_m);
}

/** Reads a geometry of GeoJSON (RFC 7946), or says what is wrong with it. A point needs meters. */
export function shapeOf(geometry: unknown, radiusM: unknown): ZoneShape | string {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  switch (type) {
    case 'Point': {
      const [longitude, latitude] = isPoint(coordinates) ? coordinates : [];
      if (longitude === undefined || latitude === undefined) return 'its point is no [longitude, latitude]';
      if (typeof radiusM !== 'number') return 'a point needs properties.radius_m, in meters';
      return circleOf(latitude, longitude, radiusM);
    }
    case 'Polygon': return polygonsOf([coordinates]);
    case 'MultiPolygon': return polygonsOf(Array.isArray(coordinates) ? coordinates : []);
    default: return 'its geometry is no Point, Polygon or MultiPolygon';
  }
}

function circleOf(latitude: number, longitude: number, radius_m: number): ZoneShape | string {
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'its center is not on earth';
  if (!(radius_m > 0 && radius_m <= RADIUS_M_MAX)) {
    return `its radius must be above 0 and at most ${RADIUS_M_MAX} meters`;
  }
  return { circle: { latitude, longitude, radius_m } };
}

function polygonsOf(given: readonly unknown[]): ZoneShape | string {
  const polygons: Polygons = [];
  for (const polygon of given) {
    const rings: Polygons[0] = [];
    for (const ring of Array.isArray(polygon) ? polygon as unknown[] : []) {
      if (!Array.isArray(ring) || !ring.every(isPoint)) {
        return 'a ring has a point that is no [longitude, latitude] within -180 to 180, -90 to 90';
      }
      const points = ring.map(([longitude, latitude]) => [longitude, latitude]);
      if (points.length < RING_POINTS_MIN) return 'a ring has less than four points';
      if (String(points[0]) !== String(points.at(-1))) {
        return 'a ring is not closed: its last point must be its first';
      }
      rings.push(points);
    }
    if (rings.length === 0) return 'a polygon has no ring';
    polygons.push(rings);
  }
  const points = polygons.flat(2);
  if (points.length === 0) return 'it has no polygon';
  if (points.length > POINTS_MAX) {
    return `its rings have ${points.length} points, at most ${POINTS_MAX} are taken: simplify it`;
  }
  const east = points.map(([longitude = 0]) => longitude);
  return Math.max(...east) - Math.min(...east) > 180
    ? 'it is wider than 180 degrees: divide it at the 180th meridian' : { polygons };
}

function isPoint(value: unknown): value is [number, number] {
  if (!Array.isArray(value)) return false;
  const [longitude, latitude] = value as unknown[];
  return typeof longitude === 'number' && typeof latitude === 'number'
    && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}
