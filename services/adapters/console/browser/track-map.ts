import type { ExpressionSpecification, GeoJSONSource, Map as MapOfTrack } from 'maplibre-gl';
import type { DeviceTrack, TrackFix } from '../../../../schemas/generated/types.ts';
import { openMap, recolour } from './base-map.ts';
import { publishFeatures } from './published.ts';
import { TEXTS } from './texts.ts';
import { onTheme, themeNow, type Theme } from './theme.ts';
import { beside, legsOf, type Leg } from './track.ts';

/** A track on a map, with its part of the cursor. */
export interface TrackMap {
  show(track: DeviceTrack): void;
  moveTo(fix: TrackFix | undefined): void;
}

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>;
type Feature = Features['features'][number];

/** Colours of a way, from dark to bright by speed: distinct also for who sees no red or green. */
const DRIVES: Readonly<Record<Theme, Readonly<Record<Leg['drive'], string>>>> = {
  light: {
    standing: '#5b2a86', slow: '#2f6db3', road: '#1b9e77', fast: '#c98a00', unknown: '#5f6b76',
    gap: '#9aa4ad',
  },
  dark: {
    standing: '#b58ae0', slow: '#6fb1ff', road: '#4fd6a8', fast: '#ffd166', unknown: '#a9b8c6',
    gap: '#6b7883',
  },
};
const MARKS = { light: { odd: '#c0123c', cursor: '#000' }, dark: { odd: '#ff7a95', cursor: '#fff' } } as const;
/** How near a click must be to a fix, in CSS pixels. */
const CLICK_PIXELS = 20;
const FIT = { padding: 40, maxZoom: 14, animate: false };

/** Colours of a way by theme, the same on the map and in the legend. */
export function driveColours(theme: Theme): Readonly<Record<Leg['drive'], string>> {
  return DRIVES[theme];
}

/** Opens a map for tracks; `onPick` gets the index of the fix that was clicked. */
export async function openTrackMap(
  container: HTMLElement, leaving: AbortSignal, onPick: (index: number) => void,
): Promise<TrackMap> {
  const map = await openMap(container, themeNow());
  if (leaving.aborted) {
    map.remove();
    return { show: () => undefined, moveTo: () => undefined };
  }
  addLayers(map);
  paint(map, themeNow());
  onTheme((theme) => {
    recolour(map, theme);
    paint(map, theme);
  }, leaving);
  leaving.addEventListener('abort', () => { map.remove(); });
  let fixes: readonly TrackFix[] = [];
  map.on('click', ({ point }) => {
    const { index } = fixes.reduce((best, { longitude, latitude }, at) => {
      const far = map.project([beside(map.getCenter().lng, longitude), latitude]).dist(point);
      return far < best.far ? { far, index: at } : best;
    }, { far: CLICK_PIXELS, index: -1 });
    if (index >= 0) onPick(index);
  });
  publishFeatures(map, ['track', 'gaps', 'odd', 'cursor']);
  return {
    show(track) {
      ({ fixes } = track);
      const legs = legsOf(fixes);
      fill(map, 'track', legs.map(({ drive, way }) => ({
        type: 'Feature', properties: { drive },
        geometry: { type: 'LineString', coordinates: way.length === 1 ? [...way, ...way] : way },
      })));
      fill(map, 'odd', track.odd_fixes.map((fix) => (
        pointAt(fix, { kind: TEXTS.oddKinds[fix.kind] }))));
      const spots = legs.flatMap(({ way }) => way);
      if (spots.length === 0) return;
      const longitudes = spots.map(([longitude]) => longitude);
      const latitudes = spots.map(([, latitude]) => latitude);
      map.fitBounds([
        Math.min(...longitudes), Math.min(...latitudes),
        Math.max(...longitudes), Math.max(...latitudes),
      ], FIT);
    },
    moveTo(fix) {
      fill(map, 'cursor', fix === undefined ? [] : [pointAt(fix, { timestamp: fix.timestamp })]);
    },
  };
}

function pointAt(
  { longitude, latitude }: Pick<TrackFix, 'longitude' | 'latitude'>,
  properties: Readonly<Record<string, string | number>>,
): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } };
}

function fill(map: MapOfTrack, name: string, features: readonly Feature[]): void {
  void map.getSource<GeoJSONSource>(name)?.setData({ type: 'FeatureCollection', features: [...features] });
}

function addLayers(map: MapOfTrack): void {
  for (const name of ['track', 'odd', 'cursor']) {
    map.addSource(name, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  }
  const isGap: ExpressionSpecification = ['==', ['get', 'drive'], 'gap'];
  map.addLayer({
    id: 'gaps', type: 'line', source: 'track', filter: isGap,
    paint: { 'line-width': 2, 'line-dasharray': [2, 3] },
  });
  map.addLayer({
    id: 'track', type: 'line', source: 'track', filter: ['!', isGap],
    layout: { 'line-join': 'round', 'line-cap': 'round' }, paint: { 'line-width': 4 },
  });
  map.addLayer({
    id: 'odd', type: 'circle', source: 'odd',
    paint: { 'circle-radius': 7, 'circle-color': 'transparent', 'circle-stroke-width': 2 },
  });
  map.addLayer({
    id: 'odd-names', type: 'symbol', source: 'odd',
    layout: {
      'text-field': ['get', 'kind'], 'text-size': 12, 'text-font': ['sans-serif'],
      'text-offset': [0, 1.2],
    },
  });
  map.addLayer({
    id: 'cursor', type: 'circle', source: 'cursor',
    paint: { 'circle-radius': 6, 'circle-stroke-width': 3, 'circle-color': 'transparent' },
  });
}

function paint(map: MapOfTrack, theme: Theme): void {
  const colours = driveColours(theme);
  const { odd, cursor } = MARKS[theme];
  map.setPaintProperty('track', 'line-color', [
    'match', ['get', 'drive'], 'standing', colours.standing, 'slow', colours.slow,
    'road', colours.road, 'fast', colours.fast, colours.unknown,
  ]);
  map.setPaintProperty('gaps', 'line-color', colours.gap);
  map.setPaintProperty('odd', 'circle-stroke-color', odd);
  map.setPaintProperty('odd-names', 'text-color', odd);
  map.setPaintProperty('cursor', 'circle-stroke-color', cursor);
}
