/** Longitude and latitude in degrees. */
export type Position = number[];

/** A coast and its lakes, or several of them: rings whose last point is the first (GeoJSON). */
export type Polygons =
  | { readonly type: 'Polygon'; readonly coordinates: Position[][] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] };

/** One thing on the map, of areas or of a point. */
export interface OnMap<Geometry> {
  readonly type: 'Feature';
  readonly properties: Record<string, string>;
  readonly geometry: Geometry;
}

/** Things on the map, as its sources take them. */
export interface Collection<Geometry> {
  readonly type: 'FeatureCollection';
  readonly features: OnMap<Geometry>[];
}
