import type { Map as MapOfTrack } from 'maplibre-gl';
import { POINT_NUMBERS, type Drawn } from './fleet.ts';

/** Where one device is drawn. */
interface DrawnDevice {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * Lets tools of the browser read what the map draws, as `rastroDrawn()` in its console: positions
 * are calculated back from the very points that the graphics card has.
 */
export function publishDrawn(drawn: () => Drawn): void {
  Object.assign(globalThis, { rastroDrawn: () => positionsOf(drawn()) });
}

/** The same for a track: the features that are on the map now, as `rastroTrack()`. */
export function publishFeatures(map: MapOfTrack, layers: readonly string[]): void {
  Object.assign(globalThis, {
    rastroTrack: () => map.queryRenderedFeatures({ layers: [...layers] })
      .map(({ layer, properties, geometry }) => ({ layer: layer.id, properties, geometry })),
  });
}

function positionsOf({ points, ids }: Drawn): readonly DrawnDevice[] {
  return ids.map((id, index) => {
    const [x = 0, y = 0] = points.subarray(index * POINT_NUMBERS, index * POINT_NUMBERS + 2);
    const angle = Math.atan(Math.exp(((180 - y * 360) * Math.PI) / 180));
    return { id, longitude: x * 360 - 180, latitude: (angle * 360) / Math.PI - 90 };
  });
}
