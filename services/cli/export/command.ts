import { example, repeated } from '../../adapters/command-line/command-line.ts';
import type { ViewExport } from '../../kernel/view-export.ts';
import { geojsonOf } from './geojson.ts';
import { gpxOf } from './gpx.ts';
import { readExportOptions, type ExportOptions, type ExportWords } from './options.ts';
import { EXPORTED_VIEWS, FORMATS, formatsOf, viewLines } from './views.ts';
import type { Report } from '../ports.ts';
import { DONE, misuse, noun } from '../noun.ts';

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
export const exportCommand = noun<ExportPorts>((command, does) => {
  example(command
    .description('Rows of a view as a file for other tools. A time is 2026-11-21 or '
      + '2026-11-21T10:00:00Z.')
    .option('--view <view>', 'view to export', 'v_locations')
    .option('--format <format>', FORMATS.join(', '))
    .option('--from <time>', 'rows from this time on')
    .option('--to <time>', 'rows before this time')
    .option('--device <id>', 'only rows of this device', repeated)
    .option('--only <column=value>', 'only rows with this value; for columns of text', repeated)
    .option('--out <file>', 'file to write; standard output when absent')
    .option('--list', 'the views with their formats and the time of their windows', false)
    .action(does((ports, words: ExportWords & { readonly list: boolean }) => (
      words.list ? listed() : exportView(ports, words)
    ))),
  'rastro export --format csv --from 2026-11-21 --to 2026-11-22 --out locations.csv', DONE);
});

function listed(): Report {
  const views = EXPORTED_VIEWS.map((view) => ({ view: view.name, formats: formatsOf(view) }));
  return { value: { views }, lines: viewLines(), exitCode: 0 };
}

async function exportView(ports: ExportPorts, words: ExportWords): Promise<Report> {
  const options = readExportOptions(words);
  if (typeof options === 'string') return misuse(options);
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
    case 'geojson': return geojsonOf(history.rows(question), question.view.geometry);
    case 'csv':
    case 'parquet': return history.file(question, format);
  }
}
