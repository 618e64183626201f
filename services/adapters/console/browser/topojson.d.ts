declare module 'topojson-client/src/feature.js' {
  import type { FeatureCollection } from 'geojson';

  /** Makes GeoJSON of one object of a topology, by its name. */
  export default function feature(topology: unknown, name: string): FeatureCollection;
}
