import { parseArgs } from 'node:util';
import type { ExportQuestion, ExportWindow } from '../../kernel/view-export.ts';
import { EXPORTED_VIEWS, FORMATS, formatsOf, type ExportFormat } from './views.ts';

/** What is to be exported, and where to; `file` is absent for standard output. */
export interface ExportOptions {
  readonly format: ExportFormat;
  readonly question: ExportQuestion;
  readonly file: string | undefined;
}

const OPTIONS = {
  view: { type: 'string' }, format: { type: 'string' },
  device: { type: 'string', multiple: true }, only: { type: 'string', multiple: true },
  from: { type: 'string' }, to: { type: 'string' }, out: { type: 'string' },
  list: { type: 'boolean' },
} as const;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;
const ONLY = /^([a-z]\w*)=(.+)$/s;
/** Rows are kept no longer. */
const DAYS_MAX = 401;

type Read = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Reads the options, `list` among them, or says in a sentence what is wrong with them. */
export function readExportOptions(
  args: readonly string[],
): ExportOptions | { readonly list: true } | string {
  const values = read(args);
  if (typeof values === 'string') return values;
  if (values.list === true) return { list: true };
  const { view: name = 'v_locations', format, from, to, out: file } = values;
  const view = EXPORTED_VIEWS.find((each) => each.name === name);
  if (view === undefined) return `There is no view ${name}: rastro export --list.`;
  const formats = formatsOf(view);
  if (!isOneOf(formats, format)) {
    return isOneOf(FORMATS, format) ? `${name} goes to ${formats.join(', ')} only.`
      : `Say --format ${formats.join('|')}.`;
  }
  const only = onlyOf(values);
  if (typeof only === 'string') return only;
  if (format === 'gpx' && !only.has(view.key)) {
    return `A track is of one key: say --only ${view.key}=VALUE, once or more often.`;
  }
  const isPlaced = view.place === 'point' && (format === 'gpx' || format === 'geojson');
  if (view.time === undefined && view.isWindowed !== true) {
    if ((from ?? to) !== undefined) return `${name} is exported whole: leave out --from and --to.`;
    return { format, file, question: { view, only, isPlaced } };
  }
  const window = windowOf(from, to);
  return typeof window === 'string' ? window
    : { format, file, question: { view, only, isPlaced, window } };
}

/** Wrong options are no fault of the program. */
function read(args: readonly string[]): Read | string {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function isOneOf(formats: readonly ExportFormat[], text?: string): text is ExportFormat {
  return formats.some((each) => each === text);
}

/** `--device ID` is short for `--only device_id=ID`. */
function onlyOf(
  { device = [], only = [] }: Read,
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
