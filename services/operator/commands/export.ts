import type { TrackExport } from '../../kernel/track-export.ts';
import { geojsonOf } from '../export/geojson.ts';
import { gpxOf } from '../export/gpx.ts';
import { readExportOptions, type ExportOptions } from '../export/options.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';

/** What an export needs from outside; `write` takes a file or, without one, standard output. */
export interface ExportPorts {
  readonly tracks: TrackExport;
  readonly write: (
    file: string | undefined, chunks: AsyncIterable<string | Uint8Array>,
  ) => Promise<void>;
}

/** A Parquet file is one answer, and an analyst gets no larger one. */
const PARQUET_FIXES_MAX = 1_000_000;

/**
 * `rastro export`: the fixes of devices as a file for other tools. Without `--out` the file goes to
 * standard output and the report has no lines.
 */
export async function exportCommand(ports: ExportPorts, args: readonly string[]): Promise<Report> {
  const options = readExportOptions(args);
  if (typeof options === 'string') return misuse(options);
  const { format, window, file } = options;
  const fixes = await ports.tracks.count(window);
  if (format === 'parquet' && fixes > PARQUET_FIXES_MAX) {
    const sentence = `${fixes} fixes are more than a Parquet file takes (${PARQUET_FIXES_MAX}): `
      + 'ask for fewer days, or for csv.';
    return { value: { error: sentence }, lines: [sentence], exitCode: 1 };
  }
  await ports.write(file, chunksOf(ports.tracks, options));
  return {
    value: { format, file, fixes },
    lines: file === undefined ? [] : [`${fixes} fixes in ${file}.`],
    exitCode: 0,
  };
}

function chunksOf(
  tracks: TrackExport, { format, window }: ExportOptions,
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'gpx': return gpxOf(tracks.fixes(window));
    case 'geojson': return geojsonOf(tracks.fixes(window));
    case 'csv':
    case 'parquet': return tracks.file(window, format);
  }
}
