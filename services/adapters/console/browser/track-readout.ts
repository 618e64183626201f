import type { DeviceTrack, TrackFix } from '../../../../schemas/generated/types.ts';
import { el, facts } from './elements.ts';
import { outcomeWords, postOf } from './posts.ts';
import type { RawRecordOf } from './raw-record.ts';
import { timeText } from './record-view.ts';
import { stripsOf, valueAt } from './strips.ts';
import { ageText, TEXTS } from './texts.ts';
import { gapsOf } from './track.ts';
import { postLink } from './track-posts.ts';
import { momentOf } from './track-strips.ts';

/** All that is known at a fix of the track: its own values, and the last readings before it. */
export function readout(track: DeviceTrack, index: number, rawOf: RawRecordOf): HTMLElement {
  const fix = track.fixes[index];
  if (fix === undefined) return facts([]);
  const { timestamp, latitude, longitude, bearing, odometer, received_at: received } = fix;
  const receivedMs = Date.parse(received);
  const post = postOf(track, received);
  return facts([
    [TEXTS.time, timeText(timestamp * 1_000)],
    [TEXTS.position, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
    [TEXTS.oddFixes, oddAt(track, index).join(', ')],
    [TEXTS.flags, fix.flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')],
    [TEXTS.silenceBefore, fix.gap_seconds === undefined ? undefined : ageText(fix.gap_seconds)],
    ...stripsOf(track).map((strip) => {
      const value = valueAt(strip, timestamp);
      return [TEXTS.strips[strip.name], value === undefined ? undefined : String(value)] as const;
    }),
    [TEXTS.ignition, fix.ignition === undefined ? undefined : onOff(fix.ignition)],
    [TEXTS.bearing, bearing === undefined ? undefined : `${bearing}°`],
    [TEXTS.odometer, odometer === undefined ? undefined : `${odometer} km`],
    [TEXTS.provider, fix.provider],
    [TEXTS.received, TEXTS.receivedAfter(timeText(receivedMs), receivedMs / 1_000 - timestamp)],
    [TEXTS.ingest, post === undefined ? undefined : postLink(post)],
    [TEXTS.outcome, post === undefined ? undefined : outcomeWords(post)],
    [TEXTS.asSent, rawView(fix)],
    [TEXTS.stored, post === undefined ? undefined : rawOf(post)],
  ]);
}

/** The fix as the interface has it. */
function rawView(fix: TrackFix): HTMLElement {
  return el('details', {}, el('summary', {}, TEXTS.json), el('pre', {}, JSON.stringify(fix, undefined, 2)));
}

/** A fix in a few words, for who hears them. */
export function fixWords(track: DeviceTrack, index: number): string {
  const fix = track.fixes[index];
  if (fix === undefined) return '';
  const { timestamp, speed, ignition, gap_seconds: gap } = fix;
  return [
    timeText(timestamp * 1_000), ...oddAt(track, index),
    ...speed === undefined ? [] : [`${speed} km/h`],
    ...ignition === undefined ? [] : [`${TEXTS.ignition} ${onOff(ignition)}`],
    ...gap === undefined ? [] : [`${TEXTS.silenceBefore}: ${ageText(gap)}`],
  ].join(', ');
}

/** The odd fixes by name, each a button that takes the cursor there; nothing without any. */
export function oddList(
  track: DeviceTrack, goTo: (seconds: number) => void,
): readonly HTMLElement[] {
  const { odd_fixes: odd, odd_fixes_total: total } = track;
  const more = total - odd.length;
  return list(TEXTS.oddFixes, odd.map((fix) => ({
    text: `${clockOf(momentOf(fix))} ${TEXTS.oddKinds[fix.kind]}`, at: momentOf(fix),
  })), goTo, more > 0 ? TEXTS.oddMore(more) : undefined);
}

/** The gaps, each a button that takes the cursor behind it. */
export function gapList(
  track: DeviceTrack, goTo: (seconds: number) => void,
): readonly HTMLElement[] {
  return list(TEXTS.gaps, gapsOf(track.fixes).map(({ from, to }) => (
    { text: TEXTS.gap(clockOf(from), clockOf(to), to - from), at: to })), goTo);
}

function list(
  title: string, entries: readonly { readonly text: string; readonly at: number }[],
  goTo: (seconds: number) => void, more?: string,
): readonly HTMLElement[] {
  if (entries.length === 0) return [];
  return [el('section', { 'aria-label': title }, el('h2', {}, title),
    el('ul', {}, ...entries.map(({ text, at }) => (
      el('li', {}, el('button', { type: 'button', onclick: () => { goTo(at); } }, text))))),
    more === undefined ? undefined : el('p', {}, more))];
}

function oddAt({ fixes, odd_fixes: odd }: DeviceTrack, index: number): readonly string[] {
  const fix = fixes[index];
  return odd.flatMap((each) => (
    each.timestamp === fix?.timestamp && each.latitude === fix.latitude
      && each.longitude === fix.longitude ? [TEXTS.oddKinds[each.kind]] : []));
}

function onOff(ignition: boolean): string {
  return ignition ? TEXTS.on : TEXTS.off;
}

function clockOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 19);
}
