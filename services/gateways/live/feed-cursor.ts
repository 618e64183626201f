import type { FeedLayout, FeedOffsets } from '../../domain/live/offsets.ts';

/** Up to where a feed has read the log; it moves with every record that is taken. */
export interface FeedCursor {
  readonly layout: FeedLayout;
  /** The place now, as a copy that stays. */
  offsets(): FeedOffsets;
  /**
   * Index of the record's partition, now behind it; undefined for one of no topic of the feed, and
   * for one that is before the cursor.
   */
  take(record: {
    readonly topic: string; readonly partition: number; readonly offset: bigint;
  }): number | undefined;
}

/** A cursor at a place of a layout. */
export function createFeedCursor(layout: FeedLayout, from: FeedOffsets): FeedCursor {
  const firstOf = new Map<string, number>();
  layout.forEach(({ topic, partition }, at) => {
    if (partition === 0) firstOf.set(topic, at);
  });
  const offsets = [...from];
  return {
    layout,
    offsets: () => [...offsets],
    take({ topic, partition, offset }) {
      const first = firstOf.get(topic);
      if (first === undefined) return undefined;
      const at = first + partition;
      if (Number(offset) < (offsets[at] ?? 0)) return undefined;
      offsets[at] = Number(offset) + 1;
      return at;
    },
  };
}
