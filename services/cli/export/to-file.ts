import type {
  ExportedView, ExportQuestion, ExportSlice, GeometryType, SliceForm, ViewExport,
} from '../../kernel/view-export.ts';
import { geojsonOf } from './geojson.ts';
import { gpxOf } from './gpx.ts';
import type { ExportFormat } from './views.ts';
import type { Progress } from '../../kernel/progress.ts';
import { rowsOf } from './rows.ts';

/** One Parquet file of several; with a type of geometry it is GeoParquet. */
export type JoinParts = (
  parts: AsyncIterable<AsyncIterable<Uint8Array>>, geometry?: GeometryType,
) => AsyncIterable<Uint8Array>;

/** What an export to one file takes. */
export interface FilePorts {
  readonly history: ViewExport;
  readonly join: JoinParts;
}

/** The geometry of the rows of a view. */
export function geometryOf({ geometry }: ExportedView): GeometryType {
  return geometry === 'point' ? 'Point' : 'LineString';
}

/** The pieces of one file, slice after slice. */
export function fileOf(
  { history, join }: FilePorts, question: ExportQuestion, format: ExportFormat,
  slices: readonly ExportSlice[], progress: Progress,
): AsyncIterable<string | Uint8Array> {
  // Also a file without rows says which columns it has.
  const { window } = question;
  const asked = slices.length > 0 ? slices : [{ ...(window && { window }), rows: 0 }];
  const parts = partsOf(history, question, asked, progress);
  switch (format) {
    case 'gpx': return gpxOf(history, question, asked, progress);
    case 'geojson':
      return geojsonOf(rowsOf(history, question, asked, progress), question.view.geometry);
    case 'csv': return chunksOf(parts('csv'));
    case 'parquet': return asked.length === 1 ? chunksOf(parts('parquet')) : join(parts('parquet'));
    case 'geoparquet': return join(parts('geoparquet'), geometryOf(question.view));
  }
}

type Parts = AsyncGenerator<AsyncIterable<Uint8Array>>;

function partsOf(
  history: ViewExport, question: ExportQuestion, slices: readonly ExportSlice[],
  progress: Progress,
): (form: SliceForm) => Parts {
  return async function* eachPart(form) {
    for (const [n, slice] of slices.entries()) {
      const asked = form === 'csv' && n > 0 ? 'csv-rows' : form;
      const { chunks, rows } = await history.bytes(question, slice, asked);
      yield chunks;
      progress.add(rows);
    }
  };
}

async function* chunksOf(parts: Parts): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield* part;
}
