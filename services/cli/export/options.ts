import type { ExportedView, ExportQuestion, ExportWindow } from '../../kernel/view-export.ts';
import { EXPORTED_VIEWS, FORMATS, formatsOf, type ExportFormat } from './views.ts';

/** What to export, and where to: a folder, a file, or standard output without both. */
export interface ExportOptions {
  readonly format: ExportFormat;
  readonly question: ExportQuestion;
  readonly file: string | undefined;
  readonly folder: string | undefined;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;
const ONLY = /^([a-z]\w*)=(.+)$/s;
/** Rows are kept no longer. */
const DAYS_MAX = 401;

/** The options of `rastro export` as the command line gives them. */
export interface ExportWords {
  readonly view: string;
  readonly format?: string;
  readonly device?: readonly string[];
  readonly only?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly into?: string;
  readonly at?: string;
}

/** Reads the options, or says in a sentence what is wrong with them. */
export function readExportOptions(words: ExportWords): ExportOptions | string {
  const { view: name, format, from, to, out: file, into: folder } = words;
  const view = EXPORTED_VIEWS.find((each) => each.name === name);
  if (view === undefined) return `There is no view ${name}: rastro export --list.`;
  const formats = formatsOf(view);
  if (!isOneOf(formats, format)) {
    return isOneOf(FORMATS, format) ? `${name} goes to ${formats.join(', ')} only.`
      : `Say --format ${formats.join('|')}.`;
  }
  const only = onlyOf(words);
  if (typeof only === 'string') return only;
  if (format === 'gpx' && !only.has(view.key)) {
    return `A track is of one key: say --only ${view.key}=VALUE, once or more often.`;
  }
  if (folder !== undefined && file !== undefined) return 'Say --out FILE or --into FOLDER, not both.';
  if (folder !== undefined && !isForFolders(format)) {
    return `Into a folder go csv, parquet and geoparquet; ${format} is one file.`;
  }
  const atS = secondsOf(words.at);
  if (words.at !== undefined && (atS === undefined || view.fixesMax === undefined)) {
    return '--at takes a time such as 2026-11-21T10:00:00Z, of trips and of days.';
  }
  const question = { view, only, ...mapOf(view, format), ...(atS === undefined ? {} : { atS }) };
  if (view.time === undefined && view.isWindowed !== true) {
    if ((from ?? to) !== undefined) return `${name} is exported whole: leave out --from and --to.`;
    return { format, file, folder, question };
  }
  const window = atS === undefined || (from ?? to) !== undefined
    ? windowOf(from, to) : { fromS: atS, toS: atS + 1 };
  return typeof window === 'string' ? window
    : { format, file, folder, question: { ...question, window } };
}

/** True for formats whose files can be read together as one table. */
export function isForFolders(format: ExportFormat): format is 'csv' | 'parquet' | 'geoparquet' {
  return format !== 'geojson' && format !== 'gpx';
}

/** Whether rows without a place are left out, and ways are added. */
function mapOf(
  { geometry }: ExportedView, format: ExportFormat,
): Pick<ExportQuestion, 'isPlaced' | 'hasWays'> {
  const isMap = format === 'geojson' || format === 'geoparquet';
  const isPlaced = geometry === 'point' && (isMap || format === 'gpx');
  return { isPlaced, ...(isMap && Array.isArray(geometry) ? { hasWays: true } : {}) };
}

function isOneOf(formats: readonly ExportFormat[], text?: string): text is ExportFormat {
  return formats.some((each) => each === text);
}

/** `--device ID` is short for `--only device_id=ID`. */
function onlyOf(
  { device = [], only = [] }: ExportWords,
): ReadonlyMap<string, readonly string[]> | string {
  const wanted = new Map<string, readonly string[]>();
  for (const each of [...device.map((id) => `device_id=${id}`), ...only]) {
    const [, column = '', value = ''] = ONLY.exec(each) ?? [];
    if (column === '') return `Say --device ID and --only COLUMN=VALUE, not ${each}.`;
    wanted.set(column, [...new Set([...wanted.get(column) ?? [], value])]);
  }
  return wanted;
}

function windowOf(from?: string, to?: string): ExportWindow | string {
  const [fromS, toS] = [secondsOf(from), secondsOf(to)];
  if (fromS === undefined || toS === undefined) {
    return 'Say --from and --to as 2026-11-21 or 2026-11-21T10:00:00Z.';
  }
  if (fromS >= toS) return '--to must be later than --from.';
  if (toS - fromS > DAYS_MAX * 86_400) return `At most ${DAYS_MAX} days at a time.`;
  return { fromS, toS };
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1_000);
}
