import type { TrackFix } from '../../kernel/track-export.ts';

/** GeoJSON (RFC 7946): one collection, a point with its properties for each fix. */
export async function* geojsonOf(fixes: AsyncIterable<TrackFix>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let divider = '\n';
  for await (const { latitude, longitude, altitude, ...properties } of fixes) {
    const place = [longitude, latitude, ...(altitude === null ? [] : [altitude])];
    yield divider + JSON.stringify({
      type: 'Feature', geometry: { type: 'Point', coordinates: place }, properties,
    });
    divider = ',\n';
  }
  yield '\n]}\n';
}
