import { parseArgs } from 'node:util';
import type { TrackWindow } from '../../kernel/track-export.ts';

/** The formats of `rastro export`. */
export const FORMATS = ['csv', 'parquet', 'geojson', 'gpx'] as const;

/** What is to be exported, and where to; `file` is absent for standard output. */
export interface ExportOptions {
  readonly format: (typeof FORMATS)[number];
  readonly window: TrackWindow;
  readonly file: string | undefined;
}

const OPTIONS = {
  format: { type: 'string' }, device: { type: 'string', multiple: true },
  from: { type: 'string' }, to: { type: 'string' }, out: { type: 'string' },
} as const;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;
/** Rows are kept no longer. */
const DAYS_MAX = 401;

/** Reads the options, or says in a sentence what is wrong with them. */
export function readExportOptions(args: readonly string[]): ExportOptions | string {
  const { values } = read(args);
  const { device: devices = [], from, to, out } = values;
  const format = FORMATS.find((each) => each === values.format);
  if (format === undefined) return `Say --format ${FORMATS.join('|')}.`;
  if (devices.length === 0 || devices.includes('')) return 'Say --device ID, once or more often.';
  const [fromS, toS] = [secondsOf(from), secondsOf(to)];
  if (fromS === undefined || toS === undefined) {
    return 'Say --from and --to as 2026-11-21 or 2026-11-21T10:00:00Z.';
  }
  if (fromS >= toS) return '--to must be later than --from.';
  if (toS - fromS > DAYS_MAX * 86_400) return `At most ${DAYS_MAX} days at a time.`;
  return { format, file: out, window: { devices: [...new Set(devices)], fromS, toS } };
}

type Read = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>;

/** Wrong options are no fault of the program: they read as none, and the sentence follows. */
function read(args: readonly string[]): Pick<Read, 'values'> {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    if (error instanceof TypeError) return { values: {} };
    throw error;
  }
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1_000);
}
