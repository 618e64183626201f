import type {
  ExportedRow, ExportedView, ExportQuestion, ExportSlice, ViewExport,
} from '../../kernel/view-export.ts';
import type { Progress } from '../../kernel/progress.ts';
import { rowsOf } from './rows.ts';
import { FIXES } from './views.ts';

/** Longest silence within a segment of a track, in seconds; as in the days of devices. */
const SILENCE_S_MAX = 900;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
  + '<gpx version="1.1" creator="Rastro" xmlns="http://www.topografix.com/GPX/1/1">\n';

/**
 * GPX 1.1: a track for each wanted value of the key, or for each row with a way; a new segment
 * after each long silence.
 */
export async function* gpxOf(
  history: ViewExport, question: ExportQuestion, slices: readonly ExportSlice[],
  progress: Progress,
): AsyncGenerator<string> {
  yield HEAD;
  const { view } = question;
  const tracks = view.isTrack === true
    ? keysOf(question) : waysOf(rowsOf(history, question, slices, progress), view);
  for await (const { name, asked } of tracks) {
    yield* trackOf(name, rowsOf(history, asked, await history.slices(asked, false), progress));
  }
  yield '</gpx>\n';
}

interface Track {
  readonly name: string;
  /** Its fixes. */
  readonly asked: ExportQuestion;
}

/** A track for each key has its own query, so that days of several do not mix. */
async function* keysOf(question: ExportQuestion): AsyncGenerator<Track> {
  const { view: { key }, only } = question;
  for (const name of only.get(key) ?? []) {
    yield { name, asked: { ...question, only: new Map([...only, [key, [name]]]) } };
  }
}

async function* waysOf(
  rows: AsyncIterable<ExportedRow>, { key, geometry }: ExportedView,
): AsyncGenerator<Track> {
  const [from, to] = typeof geometry === 'object' ? geometry : ['', ''];
  for await (const row of rows) {
    const [name, start, end] = [String(row[key]), String(row[`${from}_ts`]), String(row[`${to}_ts`])];
    const window = { fromS: secondsOf(start), toS: secondsOf(end) + 1 };
    yield {
      name: `${name} ${start}`,
      asked: { view: FIXES, window, only: new Map([[key, [name]]]), isPlaced: true },
    };
  }
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1_000);
}

async function* trackOf(
  name: string, rows: AsyncIterable<ExportedRow>,
): AsyncGenerator<string> {
  let last: ExportedRow | undefined;
  for await (const row of rows) {
    if (last === undefined) yield `<trk><name>${escaped(name)}</name><trkseg>\n`;
    else if (secondsBetween(last, row) > SILENCE_S_MAX) yield '</trkseg><trkseg>\n';
    yield pointOf(row);
    last = row;
  }
  if (last !== undefined) yield '</trkseg></trk>\n';
}

function pointOf({ latitude, longitude, altitude, ts }: ExportedRow): string {
  const elevation = typeof altitude === 'number' ? `<ele>${altitude.toFixed(2)}</ele>` : '';
  return `<trkpt lat="${Number(latitude).toFixed(7)}" lon="${Number(longitude).toFixed(7)}">`
    + `${elevation}<time>${String(ts)}</time></trkpt>\n`;
}

function secondsBetween(a: ExportedRow, b: ExportedRow): number {
  return (Date.parse(String(b['ts'])) - Date.parse(String(a['ts']))) / 1_000;
}

/** XML knows no other control characters than these three. */
function escaped(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
