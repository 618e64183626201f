import { isAtOrBefore, type FeedOffsets } from '../../../domain/live/offsets.ts';
import type { FactUpdate } from './feed-fact.ts';

/** The newest updates of the feed, of so many facts at most. */
export interface FactRing {
  push(update: FactUpdate): void;
  /** The update of a number; undefined when it is dropped already, or not there yet. */
  at(number: number): FactUpdate | undefined;
  /** The last update that begins at or before a place; undefined when it holds no such. */
  holding(offsets: FeedOffsets): FactUpdate | undefined;
  clear(): void;
}

/** Updates without many facts are not dropped by their facts alone. */
const UPDATES_MAX = 4_000;

/** Makes an empty ring; the newest update is always kept. */
export function createFactRing(factsMax: number): FactRing {
  let updates: FactUpdate[] = [];
  let facts = 0;
  return {
    push(update) {
      updates.push(update);
      facts += update.facts.length;
      let dropped = 0;
      while ((facts > factsMax || updates.length - dropped > UPDATES_MAX)
        && dropped < updates.length - 1) {
        facts -= updates[dropped]?.facts.length ?? 0;
        dropped += 1;
      }
      if (dropped > 0) updates = updates.slice(dropped);
    },
    at: (number) => updates[number - (updates[0]?.number ?? 0)],
    holding: (offsets) => updates.findLast(({ before }) => isAtOrBefore(before, offsets)),
    clear() {
      updates = [];
      facts = 0;
    },
  };
}
