import type { DeviceTrack, TrackPost } from '../../../../schemas/generated/types.ts';
import { el } from './elements.ts';
import { table } from './parts.ts';
import { outcomeWords, POST_OUTCOMES, worstOf } from './posts.ts';
import type { RawRecordOf } from './raw-record.ts';
import { timeText } from './record-view.ts';
import { mark, stripView } from './strip-view.ts';
import { xOf } from './strips.ts';
import { TEXTS } from './texts.ts';

const LISTED_MAX = 100;

/** A tick for each call at its receipt, by its worst outcome; the worst lie above. */
export function postStrip(track: DeviceTrack): readonly HTMLElement[] {
  const { posts } = track;
  if (posts === undefined) return [el('p', {}, TEXTS.noPosts)];
  if (posts.length === 0) return [];
  const worstLast = posts.toSorted((one, other) => (
    POST_OUTCOMES.indexOf(worstOf(other)) - POST_OUTCOMES.indexOf(worstOf(one))));
  const seen = new Set(worstLast.map(worstOf));
  return [
    stripView(TEXTS.postsByReceipt, worstLast.map((post) => (
      mark(xOf(Date.parse(post.received_at) / 1_000, track), worstOf(post)))), 'low'),
    el('ul', { class: 'legend' }, ...[...seen].map((outcome) => (
      el('li', {}, el('i', { class: outcome }), TEXTS.pipeline.outcomes[outcome])))),
  ];
}

/** The newest calls of which an item was not stored, each with the way to its outcomes. */
export function postList(
  { posts = [] }: DeviceTrack, rawOf: RawRecordOf,
): readonly HTMLElement[] {
  const odd = posts.filter((post) => worstOf(post) !== 'stored').slice(-LISTED_MAX);
  if (odd.length === 0) return [];
  const heads = [TEXTS.received, TEXTS.items, TEXTS.outcome, TEXTS.ingest, TEXTS.stored];
  return [el('section', { 'aria-label': TEXTS.oddPosts }, el('h2', {}, TEXTS.oddPosts),
    table(TEXTS.oddPosts, heads, odd.toReversed().map((post) => [
      timeText(Date.parse(post.received_at)), String(post.items), outcomeWords(post),
      postLink(post), rawOf(post),
    ])))];
}

/** The way to all that is known of a call. */
export function postLink({ ingest_id: id }: TrackPost): HTMLElement {
  return el('a', { href: `#/find/${id}` }, id);
}
