import { Map as MapOfDevices, NavigationControl, setWorkerUrl, type StyleSpecification } from 'maplibre-gl';
import feature from 'topojson-client/src/feature.js';
import { beyondAntimeridian } from './antimeridian.ts';
import type { Collection, Polygons } from './areas.ts';
import { countryNames } from './country-names.ts';
import type { DeviceColours } from './device-layer.ts';
import { TEXTS } from './texts.ts';
import type { Theme } from './theme.ts';

const COLOURS = {
  light: { sea: '#cfdde8', land: '#f6f4ee', border: '#a3acb5', text: '#4a525b' },
  dark: { sea: '#0f1a24', land: '#1f2c37', border: '#46586a', text: '#a9b8c6' },
} as const;

/** Distinct also for who does not see red and green. */
const DEVICES: Readonly<Record<Theme, DeviceColours>> = {
  light: {
    states: {
      fresh: [0, 0.42, 0.62], late: [0.85, 0.42, 0], silent: [0.42, 0.35, 0.45],
      stopped: [0.2, 0.2, 0.2], overflow: [0.7, 0, 0.45],
    },
    ring: [0, 0, 0],
  },
  dark: {
    states: {
      fresh: [0.3, 0.75, 0.95], late: [1, 0.65, 0.2], silent: [0.65, 0.58, 0.7],
      stopped: [0.8, 0.8, 0.8], overflow: [1, 0.5, 0.8],
    },
    ring: [1, 1, 1],
  },
};

/** How to colour the map of the operator, once there is one. */
let recolourOwn: ((map: MapOfDevices, theme: Theme) => void) | undefined;

/** Colours of devices, the same on the map and in the legend. */
export function deviceColours(theme: Theme): DeviceColours {
  return DEVICES[theme];
}

/**
 * Opens the map of the world in a container: borders and names, nothing from elsewhere. The map of
 * the operator comes on top as soon as it is read, where one is mounted.
 */
export async function openMap(container: HTMLElement, theme: Theme): Promise<MapOfDevices> {
  setWorkerUrl(new URL('./maplibre-gl-worker.mjs', import.meta.url).href);
  const topology: unknown = await (await fetch(new URL('./countries.json', import.meta.url))).json();
  const map = new MapOfDevices({
    container, style: styleOf(topology, theme), center: [0, 20], zoom: 1.5, maxZoom: 15,
    maxPitch: 0, dragRotate: false, attributionControl: false, fadeDuration: 0,
    locale: { 'Map.Title': TEXTS.map },
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'bottom-right');
  await new Promise((resolve) => { map.once('load', resolve); });
  const own = document.querySelector<HTMLMetaElement>('meta[name="rastro-map"]')?.content;
  if (own !== undefined) void addOwnMap(map, new URL(own, location.href).href);
  return map;
}

async function addOwnMap(map: MapOfDevices, address: string): Promise<void> {
  const { recolourOwnMap, showOwnMap } = await import('./own-map/show-own-map.ts');
  recolourOwn = recolourOwnMap;
  await showOwnMap(map, address);
}

/** Changes the colours of an open map. */
export function recolour(map: MapOfDevices, theme: Theme): void {
  const { sea, land, border, text } = COLOURS[theme];
  map.setPaintProperty('sea', 'background-color', sea);
  map.setPaintProperty('land', 'fill-color', land);
  map.setPaintProperty('land', 'fill-outline-color', border);
  map.setPaintProperty('names', 'text-color', text);
  map.setPaintProperty('names', 'text-halo-color', land);
  recolourOwn?.(map, theme);
}

function styleOf(topology: unknown, theme: Theme): StyleSpecification {
  const { sea, land, border, text } = COLOURS[theme];
  const countries = beyondAntimeridian(
    feature(topology, 'countries') as unknown as Collection<Polygons>,
  );
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: countries },
      names: { type: 'geojson', data: countryNames(countries) },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      {
        id: 'land', type: 'fill', source: 'countries',
        paint: { 'fill-color': land, 'fill-outline-color': border },
      },
      {
        id: 'names', type: 'symbol', source: 'names', minzoom: 2.5,
        layout: { 'text-field': ['get', 'name'], 'text-size': 12, 'text-font': ['sans-serif'] },
        paint: { 'text-color': text, 'text-halo-color': land, 'text-halo-width': 1 },
      },
    ],
  };
}
