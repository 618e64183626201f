import type { ViewExport } from '../../kernel/view-export.ts';
import { geojsonOf } from './geojson.ts';
import { gpxOf } from './gpx.ts';
import { readExportOptions, type ExportOptions } from './options.ts';
import { EXPORTED_VIEWS, formatsOf, viewLines } from './views.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';

/** What an export needs from outside; `write` takes a file or, without one, standard output. */
export interface ExportPorts {
  readonly history: ViewExport;
  readonly write: (
    file: string | undefined, chunks: AsyncIterable<string | Uint8Array>,
  ) => Promise<void>;
}

/** A Parquet file is one answer, and an analyst gets no larger one. */
const PARQUET_ROWS_MAX = 1_000_000;

/**
 * `rastro export`: rows of a view as a file for other tools. Without `--out` the file goes to
 * standard output and the report has no lines.
 */
export async function exportCommand(ports: ExportPorts, args: readonly string[]): Promise<Report> {
  const options = readExportOptions(args);
  if (typeof options === 'string') return misuse(options);
  if ('list' in options) {
    const views = EXPORTED_VIEWS.map((view) => ({ view: view.name, formats: formatsOf(view) }));
    return { value: { views }, lines: viewLines(), exitCode: 0 };
  }
  const columns = await ports.history.textColumns(options.question);
  const unknown = [...options.question.only.keys()].find((column) => !columns.includes(column));
  if (unknown !== undefined) return misuse(`There is no column ${unknown} of text in this view.`);
  return exported(ports, options);
}

async function exported(
  { history, write }: ExportPorts, options: ExportOptions,
): Promise<Report> {
  const { format, file, question } = options;
  const rows = await history.count(question);
  if (format === 'parquet' && rows > PARQUET_ROWS_MAX) {
    const sentence = `${rows} rows are more than a Parquet file takes (${PARQUET_ROWS_MAX}): `
      + 'ask for fewer, or for csv.';
    return { value: { error: sentence }, lines: [sentence], exitCode: 1 };
  }
  await write(file, chunksOf(history, options));
  return {
    value: { view: question.view.name, format, file, rows },
    lines: file === undefined ? [] : [`${rows} rows of ${question.view.name} in ${file}.`],
    exitCode: 0,
  };
}

function chunksOf(
  history: ViewExport, { format, question }: ExportOptions,
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'gpx': return gpxOf(history, question);
    case 'geojson': return geojsonOf(history.rows(question), question.view.place);
    case 'csv':
    case 'parquet': return history.file(question, format);
  }
}
