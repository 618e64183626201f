import type { Map as MapOfDevices } from 'maplibre-gl';
import {
  latitudeAt, longitudeAt, POINT_NUMBERS, STATES, type ShownState, type Drawn,
} from './fleet.ts';

/** Where one device is drawn. */
interface DrawnDevice {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly state: ShownState | undefined;
  /** In CSS pixels from the left and from the top of the map. */
  readonly left: number;
  readonly top: number;
}

/**
 * Lets tools of the browser read what the map draws, as `rastroDrawn()` in its console: positions
 * are calculated back from the very points that the graphics card has.
 */
export function publishDrawn(map: MapOfDevices, drawn: () => Drawn): void {
  Object.assign(globalThis, { rastroDrawn: () => positionsOf(map, drawn()) });
}

/** The same for a track: the features that are on the map now, as `rastroTrack()`. */
export function publishFeatures(map: MapOfDevices, layers: readonly string[]): void {
  Object.assign(globalThis, {
    rastroTrack: () => map.queryRenderedFeatures({ layers: [...layers] })
      .map(({ layer, properties, geometry }) => ({ layer: layer.id, properties, geometry })),
  });
}

function positionsOf(map: MapOfDevices, { points, ids }: Drawn): readonly DrawnDevice[] {
  return ids.map((id, index) => {
    const [x = 0, y = 0, state = 0] = points.subarray(index * POINT_NUMBERS);
    const [longitude, latitude] = [longitudeAt(x), latitudeAt(y)];
    const { x: left, y: top } = map.project([longitude, latitude]);
    return { id, longitude, latitude, state: STATES[state], left, top };
  });
}
