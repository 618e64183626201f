import {
  addProtocol, type IControl, type Map as MapOfDevices, type SourceSpecification,
} from 'maplibre-gl';
import { PMTiles, Protocol, TileType, type Header } from 'pmtiles';
import { el } from '../elements.ts';
import { TEXTS } from '../texts.ts';
import { themeNow, type Theme } from '../theme.ts';
import { attributionParts, type AttributionPart } from './attribution.ts';
import { OWN_SOURCE, rasterLayers, vectorLayers } from './own-layers.ts';

const PROTOCOL = 'pmtiles';
/** Pictures of twice as many pixels are shown at the next zoom, as sharp. */
const PICTURE_PIXELS = 256;
/** The first layer that is above: names of countries. */
const ABOVE = 'names';

type Painted = Parameters<MapOfDevices['setPaintProperty']>;

let protocol: Protocol | undefined;

/** The map file of an address; one for all maps, with the directories that it has read. */
function mapFileAt(address: string): PMTiles {
  if (protocol === undefined) {
    protocol = new Protocol();
    addProtocol(PROTOCOL, protocol.tile);
  }
  const known = protocol.get(address);
  if (known !== undefined) return known;
  const file = new PMTiles(address);
  protocol.add(file);
  return file;
}

/**
 * Puts the map of an operator onto the borders of the world, which stay where it has nothing. Where
 * it cannot be read the map says so, and shows the borders.
 */
export async function showOwnMap(map: MapOfDevices, address: string): Promise<void> {
  const gone = new AbortController();
  map.once('remove', () => { gone.abort(); });
  const file = mapFileAt(address);
  try {
    const [header, metadata] = await Promise.all([file.getHeader(), file.getMetadata()]);
    if (gone.signal.aborted) return;
    map.addSource(OWN_SOURCE, sourceOf(header, address));
    for (const layer of layersOf(header.tileType, themeNow())) map.addLayer(layer, ABOVE);
    const { attribution } = metadata as { readonly attribution?: unknown };
    if (typeof attribution === 'string') {
      map.addControl(corner(attributionParts(attribution)), 'bottom-left');
    }
  } catch {
    if (!gone.signal.aborted) map.addControl(corner([{ text: TEXTS.mapFailed }]), 'bottom-left');
  }
}

/** Changes the colours of the map of an operator, where it is on that map already. */
export function recolourOwnMap(map: MapOfDevices, theme: Theme): void {
  for (const { id, paint } of [...rasterLayers(theme), ...vectorLayers(theme)]) {
    if (map.getLayer(id) === undefined) continue;
    for (const [name, value] of Object.entries<unknown>(paint ?? {})) {
      map.setPaintProperty(id, name as Painted[1], value as Painted[2]);
    }
  }
}

function layersOf(tileType: TileType, theme: Theme) {
  return tileType === TileType.Mvt ? vectorLayers(theme) : rasterLayers(theme);
}

function sourceOf(header: Header, address: string): SourceSpecification {
  const { tileType, minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header;
  const bounds: [number, number, number, number] = [minLon, minLat, maxLon, maxLat];
  const hasBounds = minLon < maxLon && minLat < maxLat;
  const tiles = {
    tiles: [`${PROTOCOL}://${address}/{z}/{x}/{y}`], minzoom: minZoom, maxzoom: maxZoom,
    ...hasBounds ? { bounds } : {},
  };
  return tileType === TileType.Mvt
    ? { type: 'vector', ...tiles } : { type: 'raster', tileSize: PICTURE_PIXELS, ...tiles };
}

function corner(parts: readonly AttributionPart[]): IControl {
  const element = el('p', { class: 'maplibregl-ctrl attribution' }, ...parts.map(({ text, href }) => (
    href === undefined ? text : el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text))));
  return { onAdd: () => element, onRemove: () => { element.remove(); } };
}
