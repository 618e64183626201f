import type { ExportedRow, ExportedView } from '../../kernel/view-export.ts';

type Geometry = NonNullable<ExportedView['geometry']>;

/**
 * GeoJSON (RFC 7946): one collection, a feature for each row. All columns are its properties but
 * those of its point; a line goes along the fixes of its way and keeps the columns of its ends too.
 */
export async function* geojsonOf(
  rows: AsyncIterable<ExportedRow>, geometry: Geometry = 'point',
): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let divider = '\n';
  for await (const row of rows) {
    yield divider + JSON.stringify({
      type: 'Feature', ...(geometry === 'point' ? pointOf(row) : lineOf(row)),
    });
    divider = ',\n';
  }
  yield '\n]}\n';
}

function pointOf({ latitude, longitude, altitude, ...properties }: ExportedRow): object {
  const coordinates = [longitude, latitude, ...(typeof altitude === 'number' ? [altitude] : [])];
  return { geometry: { type: 'Point', coordinates }, properties };
}

function lineOf({ path, ...properties }: ExportedRow): object {
  return { geometry: { type: 'LineString', coordinates: path }, properties };
}
