import { example, oneOf, repeated } from '../../adapters/command-line/command-line.ts';
import type { FileStore } from '../../kernel/file-store.ts';
import { isTextColumn } from '../../kernel/view-export.ts';
import { MANIFEST } from './manifest.ts';
import {
  isForFolders, readExportOptions, type ExportOptions, type ExportWords,
} from './options.ts';
import { startProgress, type ProgressPorts } from '../../kernel/progress.ts';
import { fileOf, type FilePorts } from './to-file.ts';
import {
  exportIntoFolder, OtherExport, type FolderOptions, type FolderPorts,
} from './to-folder.ts';
import { EXPORTED_VIEWS, FORMATS, formatsOf, viewLines } from './views.ts';
import type { Report } from '../ports.ts';
import { DONE, misuse, noun } from '../noun.ts';

/** What an export needs from outside; `write` takes a file or, without one, standard output. */
export interface ExportPorts extends FilePorts, ProgressPorts {
  readonly folder: (path: string) => FileStore;
  readonly write: (
    file: string | undefined, chunks: AsyncIterable<string | Uint8Array>,
  ) => Promise<void>;
}

/**
 * `rastro export`: rows of a view as a file for other tools. Without `--out` the file goes to
 * standard output and the report has no lines.
 */
export const exportCommand = noun<ExportPorts>((command, does) => {
  example(command
    .description('Rows of a view as a file for other tools. A time is 2026-11-21 or '
      + '2026-11-21T10:00:00Z.')
    .option('--view <view>', 'view to export', 'v_locations')
    .option('--format <format>', FORMATS.join(', '), oneOf(FORMATS))
    .option('--from <time>', 'rows from this time on')
    .option('--to <time>', 'rows before this time')
    .option('--at <time>', 'only the trips, or days, that this time is in')
    .option('--device <id>', 'only rows of this device', repeated)
    .option('--only <column=value>', 'only rows with this value; for columns of text', repeated)
    .option('--out <file>', 'file to write; standard output when absent')
    .option('--into <folder>', 'files by day and provider with a manifest; goes on where it broke off')
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
  const columns = (await ports.history.columns(options.question)).filter(isTextColumn);
  const unknown = [...options.question.only.keys()]
    .find((column) => !columns.some(({ name }) => name === column));
  if (unknown !== undefined) return misuse(`There is no column ${unknown} of text in this view.`);
  return exported(ports, options);
}

async function exported(ports: ExportPorts, options: ExportOptions): Promise<Report> {
  const { format, file, folder, question } = options;
  const { name } = question.view;
  if (folder !== undefined && isForFolders(format)) {
    return intoFolder({ ...ports, files: ports.folder(folder) }, { format, question }, folder);
  }
  const slices = await ports.history.slices(question, false);
  const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
  await ports.write(file, fileOf(ports, question, format, slices, startProgress(rows, ports)));
  return {
    value: { view: name, format, file, rows },
    lines: file === undefined ? [] : [`${rows} rows of ${name} in ${file}.`],
    exitCode: 0,
  };
}

async function intoFolder(
  ports: FolderPorts, options: FolderOptions, folder: string,
): Promise<Report> {
  try {
    const { manifest: { view, format, rows, bytes, files }, kept } = (
      await exportIntoFolder(options, ports)
    );
    return {
      value: { view, format, folder, files: files.length, kept, rows, bytes },
      lines: [`${rows} rows of ${view} in ${files.length} files of ${folder}, ${kept} of them kept `
        + `from an earlier run; ${MANIFEST} says which.`],
      exitCode: 0,
    };
  } catch (error) {
    if (!(error instanceof OtherExport)) throw error;
    return { value: { error: error.message }, lines: [error.message], exitCode: 1 };
  }
}
