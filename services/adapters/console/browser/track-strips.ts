import type { DeviceTrack, TrackOddFix } from '../../../../schemas/generated/types.ts';
import { el, svg } from './elements.ts';
import { bar, mark, stripView } from './strip-view.ts';
import { ignitionOf, lineOf, SHEET, stripsOf, xOf } from './strips.ts';
import { TEXTS } from './texts.ts';
import { gapsOf, nearestFix } from './track.ts';
import { postStrip } from './track-posts.ts';

/** What strips report, and ask for. */
export interface StripPorts {
  /** The cursor is wanted at this fix. */
  readonly onMove: (index: number) => void;
  /** A fix in words. */
  readonly wordsOf: (index: number) => string;
}

/** Strips as an element, with their part of the cursor. */
export interface TrackStrips {
  readonly element: HTMLElement;
  moveTo(index: number): void;
}

/** PageUp and PageDown go so many of all fixes. */
const PAGE_SHARE = 0.1;
const HOURS = ['00', '06', '12', '18', '24'];

/** Draws the strips of a track below each other, under one cursor: a slider for keyboards. */
export function createTrackStrips(
  track: DeviceTrack, { onMove, wordsOf }: StripPorts,
): TrackStrips {
  const { fixes } = track;
  const last = fixes.length - 1;
  let at = last;
  const cursor = el('div', { class: 'cursor' });
  const element = el('div', {
    'class': 'strips', 'role': 'slider', 'tabindex': 0, 'aria-label': TEXTS.cursor,
    'aria-valuemin': 0, 'aria-valuemax': last,
    'onkeydown': (event) => { press(event as KeyboardEvent); },
    'onpointerdown': (event) => { point(event as PointerEvent); },
    'onpointermove': (event) => { point(event as PointerEvent); },
  }, ...stripsOf(track).map((strip) => gappedStrip(
    track, `${TEXTS.strips[strip.name]} (${rounded(strip.min)} to ${rounded(strip.max)})`,
    [svg('path', { d: lineOf(strip, track) })],
  )), ...ignitionStrip(track), ...oddStrip(track), ...postStrip(track), hourLine(), cursor);

  function press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.round(fixes.length * PAGE_SHARE));
    const to = {
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
      PageUp: at + page, PageDown: at - page, Home: 0, End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(Math.min(last, Math.max(0, to)));
  }

  function point({ clientX }: PointerEvent): void {
    const { left, width } = element.getBoundingClientRect();
    const [from, to] = [Date.parse(track.since) / 1_000, Date.parse(track.until) / 1_000];
    onMove(nearestFix(fixes, from + ((clientX - left) / width) * (to - from)));
  }

  return {
    element,
    moveTo(index) {
      at = index;
      cursor.style.left = `${(xOf(fixes[index]?.timestamp ?? 0, track) / SHEET.width) * 100}%`;
      element.setAttribute('aria-valuenow', String(index));
      element.setAttribute('aria-valuetext', wordsOf(index));
    },
  };
}

/** When an odd fix is on the strips: one that is years off, when it was received. */
export function momentOf({ kind, timestamp, received_at: received }: TrackOddFix): number {
  return kind === 'gps_week_rollover' ? Date.parse(received) / 1_000 : timestamp;
}

/** The hours of the day below strips. */
export function hourLine(): HTMLElement {
  return el('div', { class: 'hours' }, ...HOURS.map((hour) => el('span', {}, `${hour}:00`)));
}

function ignitionStrip(track: DeviceTrack): readonly HTMLElement[] {
  if (track.fixes.every(({ ignition }) => ignition === undefined)) return [];
  return [gappedStrip(track, TEXTS.ignition, ignitionOf(track.fixes).map(({ from, to }) => (
    bar(xOf(from, track), xOf(to, track) - xOf(from, track)))), 'low')];
}

function oddStrip(track: DeviceTrack): readonly HTMLElement[] {
  if (track.odd_fixes.length === 0) return [];
  return [gappedStrip(track, TEXTS.oddFixes, track.odd_fixes.map((fix) => (
    mark(xOf(momentOf(fix), track), 'odd'))), 'low')];
}

/** A strip over the gaps. */
function gappedStrip(
  track: DeviceTrack, name: string, drawn: readonly SVGElement[], size: 'low' | '' = '',
): HTMLElement {
  return stripView(name, [
    ...gapsOf(track.fixes).map(({ from, to }) => (
      bar(xOf(from, track), xOf(to, track) - xOf(from, track), 'gap'))),
    ...drawn,
  ], size);
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en');
}
