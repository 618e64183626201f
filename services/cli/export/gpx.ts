import type { ExportedRow, ExportQuestion, ViewExport } from '../../kernel/view-export.ts';

/** Longest silence within a segment of a track, in seconds; as in the days of devices. */
const SILENCE_S_MAX = 900;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
  + '<gpx version="1.1" creator="Rastro" xmlns="http://www.topografix.com/GPX/1/1">\n';

/**
 * GPX 1.1: a track for each wanted value of the key, a new segment after each long silence. Each
 * track has its own query, so that days of several do not mix.
 */
export async function* gpxOf(
  history: ViewExport, question: ExportQuestion,
): AsyncGenerator<string> {
  yield HEAD;
  const { view: { key }, only } = question;
  for (const value of only.get(key) ?? []) {
    const rows = history.rows({ ...question, only: new Map([...only, [key, [value]]]) });
    yield* trackOf(value, rows);
  }
  yield '</gpx>\n';
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
