import type { DeviceTrack, TrackFix, TrackPost } from '../../../../schemas/generated/types.ts';
import { TEXTS } from './texts.ts';

/** Outcomes of the items of a call, the worst first. */
export const POST_OUTCOMES = [
  'dead_lettered', 'waiting', 'outlier', 'duplicate', 'stored',
] as const;

/** The name of one. */
export type PostOutcomeName = (typeof POST_OUTCOMES)[number];

/** The worst outcome of an item of the call. */
export function worstOf(post: TrackPost): PostOutcomeName {
  return POST_OUTCOMES.find((outcome) => post[outcome] > 0) ?? 'waiting';
}

/** The outcomes of the items of a call, in a few words. */
export function outcomeWords(post: TrackPost): string {
  const counts = POST_OUTCOMES.toReversed().filter((outcome) => post[outcome] > 0)
    .map((outcome) => `${post[outcome]} ${TEXTS.pipeline.outcomes[outcome].toLowerCase()}`);
  return [...counts, ...post.code === undefined ? [] : [post.code.replaceAll('_', ' ')]].join(', ');
}

/** The call that brought a fix, where it is among those that are here. */
export function postOf({ posts = [] }: DeviceTrack, receivedAt: string): TrackPost | undefined {
  return posts.find((post) => post.kind === 'locations' && post.received_at === receivedAt);
}

/** The fixes of a track that a call brought. */
export function fixesOf({ fixes }: DeviceTrack, post: TrackPost): readonly TrackFix[] {
  if (post.kind !== 'locations') return [];
  return fixes.filter(({ received_at: receivedAt }) => receivedAt === post.received_at);
}
