import { topicsOf } from '../../../domain/live/facts.ts';
import type { FeedOffsets } from '../../../domain/live/offsets.ts';
import type { StreamLine } from '../../../kernel/stream-line.ts';
import { newLine, type LineState } from '../viewers.ts';
import type { FactAudience } from './feed-fact.ts';

/** A caller that follows facts, and up to which offsets it has them. */
export interface FactViewer extends LineState {
  readonly audience: FactAudience;
  readonly topics: ReadonlySet<string>;
  /** Number of the update that it gets next. */
  next: number;
  /** Up to where it was written to. */
  offsets: FeedOffsets;
  /** Ahead of what this copy had when it came: what is before is not sent again. */
  ahead: { readonly offsets: FeedOffsets; readonly sinceMs: number } | undefined;
  /** True while facts are read for it from the log. */
  isReading: boolean;
  /** Ends the wait of a reading for room on the line. */
  wake: (() => void) | undefined;
}

/** Where a feed stands: the end of its newest update, and the number of the next one. */
export interface FeedHead {
  readonly offsets: FeedOffsets;
  readonly next: number;
}

/** A viewer that has everything up to the head. */
export function newFactViewer(
  audience: FactAudience, line: StreamLine, head: FeedHead, nowMs: number,
): FactViewer {
  return {
    ...newLine(line, nowMs), audience, topics: new Set(topicsOf(audience.kinds)),
    next: head.next, offsets: head.offsets, ahead: undefined, isReading: false, wake: undefined,
  };
}

/** Resolves when the viewer has read what waits, or is gone. */
export function drained(viewer: FactViewer): Promise<void> {
  return new Promise((resolve) => {
    viewer.wake = resolve;
    viewer.line.onDrained(resolve);
  });
}
