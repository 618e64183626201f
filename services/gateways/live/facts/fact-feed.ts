import { factKindOf } from '../../../domain/live/facts.ts';
import { isDecoded, type LogRecord, type UndecodableRecord } from '../../../kernel/record-log.ts';
import type { StreamLine } from '../../../kernel/stream-line.ts';
import type { FeedCursor } from '../feed-cursor.ts';
import type { LiveLimits } from '../limits.ts';
import { sseMark } from '../sse.ts';
import { isStalled, speak } from '../viewers.ts';
import { createFactRing } from './fact-ring.ts';
import { newFactViewer } from './fact-viewer.ts';
import { feedFact, type FactAudience, type FeedFact } from './feed-fact.ts';
import { createFactServing, type FactFeedPorts, type FactFeedState } from './serve-facts.ts';

/** The feed of facts of one process; viewers with the same audience share its events. */
export interface FactFeed {
  /** Begins, or begins again after the log was cut. */
  begin(cursor: FeedCursor): void;
  /** Forgets its facts until it begins again; there must be no viewer. */
  rest(): void;
  take(record: LogRecord | UndecodableRecord): void;
  /** Ends an update, and writes it to each viewer that has read the one before. */
  tick(): void;
  join(
    audience: FactAudience, lastEventId: string | undefined, line: StreamLine,
  ): () => void;
}

/** Makes a feed that has not begun. */
export function createFactFeed(limits: LiveLimits, ports: FactFeedPorts): FactFeed {
  const { clock, signals } = ports;
  const feed: FactFeedState = {
    viewers: new Set(), ring: createFactRing(limits.factsKeptMax), cursor: undefined,
    head: { offsets: [], next: 0 },
  };
  const { viewers, ring } = feed;
  const serving = createFactServing(limits, ports, feed);
  let open: FeedFact[] = [];

  function endUpdate(cursor: FeedCursor): void {
    if (open.length === 0) return;
    const { offsets: before, next } = feed.head;
    const after = cursor.offsets();
    ring.push({ number: next, before, after, facts: open });
    feed.head = { offsets: after, next: next + 1 };
    open = [];
  }

  return {
    begin(at) {
      const isAnew = feed.cursor !== undefined;
      feed.cursor = at;
      ring.clear();
      open = [];
      feed.head = { offsets: at.offsets(), next: feed.head.next + 1 };
      for (const viewer of viewers) {
        if (isAnew) serving.reset(viewer, 'removed');
        else serving.toHead(viewer);
      }
    },

    rest() {
      feed.cursor = undefined;
      ring.clear();
      open = [];
    },

    take(record) {
      const at = feed.cursor?.take(record);
      if (at === undefined || !isDecoded(record)) return;
      if (factKindOf(record.topic) === undefined) return;
      const fact = feedFact(record, at);
      if (fact !== undefined) open.push(fact);
    },

    tick() {
      signals.liveViewers({ feed: 'facts', viewers: viewers.size });
      if (feed.cursor === undefined) return;
      endUpdate(feed.cursor);
      const nowMs = clock.nowMs();
      for (const viewer of viewers) {
        if (isStalled(viewer, nowMs, limits)) {
          signals.liveStalled({ feed: 'facts' });
          viewer.line.cut();
        } else serving.serve(viewer, nowMs);
      }
    },

    join(audience, lastEventId, line) {
      const nowMs = clock.nowMs();
      const viewer = newFactViewer(audience, line, feed.head, nowMs);
      viewers.add(viewer);
      if (lastEventId === undefined) {
        speak(viewer, sseMark(nowMs, serving.idOf(viewer, viewer.offsets)), nowMs);
      } else serving.resume(viewer, lastEventId, nowMs);
      return () => {
        viewers.delete(viewer);
        viewer.wake?.();
      };
    },
  };
}
