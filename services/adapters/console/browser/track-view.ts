import type { DeviceTrack } from '../../../../schemas/generated/types.ts';
import { copyButton, curlButton } from './copy.ts';
import { createDayPicker } from './day-picker.ts';
import { el } from './elements.ts';
import type { Around } from './page.ts';
import { rawRecords, type RawRecordOf } from './raw-record.ts';
import { trackSql } from './sql.ts';
import { TEXTS } from './texts.ts';
import { themeNow, onTheme } from './theme.ts';
import { loadTrack, nearestFix, trackAddress } from './track.ts';
import { driveColours, openTrackMap } from './track-map.ts';
import { fixWords, gapList, oddList, readout } from './track-readout.ts';
import { postList, postStrip } from './track-posts.ts';
import { createTrackStrips, hourLine, type TrackStrips } from './track-strips.ts';

/** The track of a device on one day: a map over strips, with one cursor over both. */
export function createTrackView(
  id: string, address: string, { leaving, signedOut, addresses }: Around,
): HTMLElement {
  let track: DeviceTrack | undefined;
  let strips: TrackStrips | undefined;
  let asking = new AbortController();
  const day = createDayPicker((dayMs) => { void showDay(dayMs); });
  const status = el('output', { 'aria-live': 'polite' });
  const copies = el('span');
  const container = el('div', { class: 'map' });
  const drawn = el('div');
  const values = el('div', { class: 'readout' });
  const named = el('div', { class: 'named' });
  const opening = openTrackMap(container, leaving, moveTo);
  void showDay(day.dayMs());
  return el('section', { 'class': 'track', 'aria-label': TEXTS.track },
    el('form', { onsubmit: (event) => { event.preventDefault(); } }, day.element, status, copies),
    container, legend(leaving), drawn, values, named);

  async function showDay(dayMs: number): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const until = AbortSignal.any([leaving, asking.signal]);
    const isOver = (): boolean => until.aborted;
    status.textContent = TEXTS.finding;
    const call = trackAddress(address, dayMs);
    const asked = await loadTrack(call, until).catch(() => undefined);
    if (asked === undefined || isOver()) return;
    if (!asked.ok) {
      if (asked.status === 401 || asked.code === 'invalid_token') signedOut();
      clear(TEXTS.refused(asked.detail));
      return;
    }
    const map = await opening;
    if (isOver()) return;
    const { since, until: end, fixes, fixes_total: total, fixes_every: every } = asked.body;
    clear(total === 0 ? TEXTS.noFixes : TEXTS.fixes(fixes.length, total, every));
    copies.replaceChildren(curlButton(call), ' ', copyButton(TEXTS.copySql, () => trackSql(id, since, end)));
    track = asked.body;
    map.show(track);
    named.replaceChildren(
      ...oddList(track, moveNear), ...gapList(track, moveNear),
      ...postList(track, rawOf(track)),
    );
    if (fixes.length === 0) {
      // Calls whose items are all repeats or outliers are why nothing is on the map.
      const calls = postStrip(track);
      if (calls.length > 0) drawn.replaceChildren(el('div', { class: 'strips' }, ...calls, hourLine()));
      return;
    }
    strips = createTrackStrips(track, {
      onMove: moveTo, wordsOf: (index) => fixWords(asked.body, index),
    });
    drawn.replaceChildren(strips.element);
    moveTo(fixes.length - 1);
  }

  function clear(text: string): void {
    track = undefined;
    strips = undefined;
    status.textContent = text;
    for (const part of [copies, drawn, values, named]) part.replaceChildren();
    void opening.then((map) => { if (track === undefined) map.moveTo(undefined); });
  }

  function rawOf(of: DeviceTrack): RawRecordOf {
    return rawRecords(of, (call) => addresses.ingest(call), leaving);
  }

  function moveNear(seconds: number): void {
    if (track !== undefined) moveTo(nearestFix(track.fixes, seconds));
  }

  function moveTo(index: number): void {
    const fix = track?.fixes[index];
    if (track === undefined || fix === undefined) return;
    strips?.moveTo(index);
    values.replaceChildren(readout(track, index, rawOf(track)));
    void opening.then((map) => { map.moveTo(fix); });
  }
}

/** What the colours of the way say. */
function legend(leaving: AbortSignal): HTMLElement {
  const drives = Object.entries(TEXTS.drives) as [keyof typeof TEXTS.drives, string][];
  const marks = drives.map(([drive, text]) => ({ drive, text, mark: el('i') }));
  const colour = (): void => {
    const colours = driveColours(themeNow());
    for (const { drive, mark } of marks) mark.style.backgroundColor = colours[drive];
  };
  colour();
  onTheme(colour, leaving);
  return el('ul', { class: 'legend' }, ...marks.map(({ text, mark }) => el('li', {}, mark, text)));
}
