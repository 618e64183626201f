import type { TrackFix } from '../../kernel/track-export.ts';

/** Longest silence within a stretch of a track, in seconds; as in the days of devices. */
const SILENCE_S_MAX = 900;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
  + '<gpx version="1.1" creator="Rastro" xmlns="http://www.topografix.com/GPX/1/1">\n';

/** GPX 1.1: a track for each device, a new segment after each long silence. */
export async function* gpxOf(fixes: AsyncIterable<TrackFix>): AsyncGenerator<string> {
  yield HEAD;
  let last: TrackFix | undefined;
  for await (const fix of fixes) {
    if (fix.device_id !== last?.device_id) {
      if (last !== undefined) yield '</trkseg></trk>\n';
      yield `<trk><name>${escaped(fix.device_id)}</name><trkseg>\n`;
    } else if (secondsBetween(last, fix) > SILENCE_S_MAX) {
      yield '</trkseg><trkseg>\n';
    }
    yield pointOf(fix);
    last = fix;
  }
  yield last === undefined ? '</gpx>\n' : '</trkseg></trk>\n</gpx>\n';
}

function pointOf({ latitude, longitude, altitude, ts }: TrackFix): string {
  const elevation = altitude === null ? '' : `<ele>${altitude.toFixed(2)}</ele>`;
  return `<trkpt lat="${latitude.toFixed(7)}" lon="${longitude.toFixed(7)}">${elevation}`
    + `<time>${ts}</time></trkpt>\n`;
}

function secondsBetween(a: TrackFix, b: TrackFix): number {
  return (Date.parse(b.ts) - Date.parse(a.ts)) / 1_000;
}

/** XML knows no other control characters than these three. */
function escaped(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
