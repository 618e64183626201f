import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Theme } from '../theme.ts';

/** The name of the source of all these layers. */
export const OWN_SOURCE = 'own';

const COLOURS = {
  light: {
    earth: '#f6f4ee', water: '#cfdde8', green: '#e0ead5', built: '#ebe7df', road: '#d3c8b6',
    street: '#e2dcd0', rail: '#bdb8b2', border: '#a3acb5', text: '#4a525b',
  },
  dark: {
    earth: '#1f2c37', water: '#0f1a24', green: '#21362f', built: '#283641', road: '#4c5f71',
    street: '#364756', rail: '#44505b', border: '#5c6f82', text: '#a9b8c6',
  },
} as const;

/** Pictures are made for paper: in the dark they would blind who reads the rest. */
const BRIGHTNESS = { light: 1, dark: 0.65 } as const;

const GREEN = [
  'park', 'forest', 'wood', 'nature_reserve', 'national_park', 'protected_area', 'golf_course',
  'cemetery', 'grass', 'grassland', 'meadow', 'scrub', 'orchard', 'vineyard', 'farmland',
];
const BUILT = [
  'residential', 'industrial', 'commercial', 'retail', 'railway', 'aerodrome', 'airfield', 'school',
  'university', 'college', 'hospital', 'military', 'pedestrian', 'parking',
];

const IS_AREA = shapeIs('Polygon', 'MultiPolygon');
const IS_LINE = shapeIs('LineString', 'MultiLineString');

/** Layers of a map of pictures. */
export function rasterLayers(theme: Theme): readonly LayerSpecification[] {
  return [{
    id: 'own-picture', type: 'raster', source: OWN_SOURCE,
    paint: { 'raster-brightness-max': BRIGHTNESS[theme], 'raster-fade-duration': 0 },
  }];
}

/** Layers of a map of shapes, by the names that the basemap of Protomaps has (version 4). */
export function vectorLayers(theme: Theme): readonly LayerSpecification[] {
  const { earth, water, green, built, road, street, rail, border, text } = COLOURS[theme];
  return [
    area('earth', 'earth', IS_AREA, earth),
    area('built', 'landuse', kindIs(...BUILT), built),
    area('green', 'landuse', kindIs(...GREEN), green),
    area('water', 'water', IS_AREA, water),
    line('river', 'water', IS_LINE, water, widening(8, 0.5, 16, 6)),
    line('rail', 'roads', kindIs('rail'), rail, widening(8, 0.3, 16, 2), 8),
    line('street', 'roads', kindIs('minor_road', 'path', 'other'), street, widening(11, 0.4, 16, 6), 11),
    line('road', 'roads', kindIs('major_road'), road, widening(6, 0.4, 16, 9)),
    line('highway', 'roads', kindIs('highway'), road, widening(4, 0.6, 16, 12)),
    line('border', 'boundaries', ['<=', numberOf('kind_detail', 99), 4], border, 1),
    {
      ...label('road-name', 'roads', kindIs('highway', 'major_road', 'minor_road'), text, earth),
      minzoom: 13, layout: { ...TEXT, 'text-size': 11, 'symbol-placement': 'line' },
    },
    {
      ...label('locality', 'places', kindIs('locality'), text, earth),
      layout: { ...TEXT, 'text-size': 12, 'symbol-sort-key': numberOf('min_zoom', 15) },
    },
  ];
}

/** Drawn by fonts of the system: no glyphs are loaded. */
const TEXT = {
  'text-field': ['coalesce', ['get', 'name'], ['get', 'name:en'], ''] as ExpressionSpecification,
  'text-font': ['sans-serif'],
};

function area(
  id: string, from: string, filter: ExpressionSpecification, colour: string,
): LayerSpecification {
  return {
    ...inSource(id, from), type: 'fill', filter,
    paint: { 'fill-color': colour, 'fill-antialias': id !== 'water' && id !== 'earth' },
  };
}

function line(
  id: string, from: string, filter: ExpressionSpecification, colour: string,
  width: number | ExpressionSpecification, minzoom = 0,
): LayerSpecification {
  return {
    ...inSource(id, from), type: 'line', filter, minzoom,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': colour, 'line-width': width },
  };
}

function label(
  id: string, from: string, filter: ExpressionSpecification, colour: string, halo: string,
): Extract<LayerSpecification, { type: 'symbol' }> {
  return {
    ...inSource(id, from), type: 'symbol', filter,
    paint: { 'text-color': colour, 'text-halo-color': halo, 'text-halo-width': 1 },
  };
}

function inSource(id: string, from: string) {
  return { 'id': `own-${id}`, 'source': OWN_SOURCE, 'source-layer': from };
}

function kindIs(...kinds: readonly string[]): ExpressionSpecification {
  return ['in', ['get', 'kind'], ['literal', [...kinds]]];
}

/** A property as a number; `absent` where a feature has none. */
function numberOf(name: string, absent: number): ExpressionSpecification {
  return ['to-number', ['coalesce', ['get', name], absent]];
}

function shapeIs(...shapes: readonly string[]): ExpressionSpecification {
  return ['in', ['geometry-type'], ['literal', [...shapes]]];
}

function widening(
  fromZoom: number, fromPixels: number, toZoom: number, toPixels: number,
): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], fromZoom, fromPixels, toZoom, toPixels];
}
