import {
  furthest, isAtOrBefore, type FeedLayout, type FeedOffsets,
} from '../../../domain/live/offsets.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OffsetSeals } from '../../../kernel/offset-seals.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { FeedCursor } from '../feed-cursor.ts';
import type { LiveLimits } from '../limits.ts';
import { sseMark, sseReset, type ResetReason } from '../sse.ts';
import { createSlots } from '../../common/slots.ts';
import { hasRoom, speak } from '../viewers.ts';
import { eventsOf, createEventCache } from './events.ts';
import { createFactIds } from './fact-ids.ts';
import type { FactRing } from './fact-ring.ts';
import { drained, type FactViewer, type FeedHead } from './fact-viewer.ts';
import type { FactUpdate } from './feed-fact.ts';
import { readFacts, type FactsRead, type ReadFactsPorts } from './read-facts.ts';

/** What a feed of facts needs from outside. */
export interface FactFeedPorts extends ReadFactsPorts {
  readonly clock: Clock;
  readonly seals: OffsetSeals;
  readonly signals: Signals;
}

/** Where a feed of facts stands, and who follows it. */
export interface FactFeedState {
  readonly viewers: Set<FactViewer>;
  readonly ring: FactRing;
  cursor: FeedCursor | undefined;
  head: FeedHead;
}

/** Brings each viewer to the head, however far behind or ahead it is. */
export interface FactServing {
  toHead(viewer: FactViewer): void;
  reset(viewer: FactViewer, reason: ResetReason): void;
  idOf(viewer: FactViewer, offsets: FeedOffsets): string;
  /** Writes what a viewer lacks, or that nothing happened for long. */
  serve(viewer: FactViewer, nowMs: number): void;
  /** Lets a viewer go on behind an id, or says why it cannot. */
  resume(viewer: FactViewer, id: string, nowMs: number): void;
}

/** Makes what serves the viewers of a feed, whose state is handed in. */
export function createFactServing(
  limits: LiveLimits, ports: FactFeedPorts, feed: FactFeedState,
): FactServing {
  const { clock, signals } = ports;
  const { viewers, ring } = feed;
  const ids = createFactIds(ports.seals);
  const takeSlot = createSlots(limits.catchUpsMax);
  const shared = createEventCache();

  const layout = (): FeedLayout => feed.cursor?.layout ?? [];
  const idOf = (viewer: FactViewer, offsets: FeedOffsets): string => (
    ids.write(layout(), viewer, offsets)
  );

  function toHead(viewer: FactViewer): void {
    viewer.offsets = feed.head.offsets;
    viewer.next = feed.head.next;
    viewer.ahead = undefined;
  }

  function reset(viewer: FactViewer, reason: ResetReason): void {
    toHead(viewer);
    signals.liveReset({ feed: 'facts', reason });
    speak(viewer, sseReset(reason, idOf(viewer, feed.head.offsets)), clock.nowMs());
  }

  function eventsFor(
    viewer: FactViewer, update: Omit<FactUpdate, 'number'>, sentUpTo: FeedOffsets | undefined,
  ): readonly Buffer[] {
    return eventsOf(viewer.audience, update, {
      pieceBytesMax: limits.pieceBytesMax, atMs: clock.nowMs(), sentUpTo,
      idOf: (offsets) => idOf(viewer, offsets),
    });
  }

  function pass(viewer: FactViewer, update: FactUpdate): void {
    if (viewer.ahead !== undefined && isAtOrBefore(viewer.ahead.offsets, update.before)) {
      viewer.ahead = undefined;
    }
    const sentUpTo = viewer.ahead?.offsets;
    const make = (): readonly Buffer[] => eventsFor(viewer, update, sentUpTo);
    const events = sentUpTo === undefined ? shared.of(viewer.audience, update, make) : make();
    for (const event of events) speak(viewer, event, clock.nowMs());
    viewer.offsets = furthest(update.after, sentUpTo);
    viewer.next = update.number + 1;
  }

  /** Writes what the viewer lacks while there is room: from the ring, or else from the log. */
  function serve(viewer: FactViewer): void {
    if (viewer.isReading || !viewers.has(viewer)) return;
    while (viewer.next < feed.head.next) {
      if (!hasRoom(viewer, limits)) {
        viewer.line.onDrained(() => { serve(viewer); });
        return;
      }
      const update = ring.at(viewer.next);
      if (update === undefined) {
        void readAgain(viewer);
        return;
      }
      pass(viewer, update);
    }
  }

  async function readAgain(viewer: FactViewer): Promise<void> {
    viewer.isReading = true;
    const endSlot = await takeSlot();
    const begun = feed.cursor;
    const [from, to] = [viewer.offsets, feed.head];
    const isHere = (): boolean => viewers.has(viewer) && feed.cursor === begun;
    try {
      const outcome = await readFor(viewer, from, to.offsets, isHere);
      viewer.isReading = false;
      if (!isHere()) return;
      if (outcome === 'read') {
        viewer.offsets = furthest(to.offsets, from);
        viewer.next = to.next;
        viewer.ahead = isAtOrBefore(from, to.offsets)
          ? undefined : { offsets: from, sinceMs: clock.nowMs() };
      } else if (outcome !== 'left') reset(viewer, outcome);
      serve(viewer);
    } catch (error) {
      signals.liveReadFailed({ reason: error instanceof Error ? error.message : String(error) });
      viewer.line.cut();
    } finally {
      endSlot();
    }
  }

  /** Reads again what lies between, and writes it as fast as the viewer reads. */
  async function readFor(
    viewer: FactViewer, from: FeedOffsets, to: FeedOffsets, isHere: () => boolean,
  ): Promise<FactsRead> {
    const range = { layout: layout(), from, to, topics: viewer.topics };
    return readFacts(ports, range, limits.resumeRecordsMax, async (update) => {
      for (const event of isHere() ? eventsFor(viewer, update, undefined) : []) {
        speak(viewer, event, clock.nowMs());
        while (isHere() && !hasRoom(viewer, limits)) await drained(viewer);
        if (!isHere()) break;
      }
      return isHere();
    });
  }

  function resume(viewer: FactViewer, offsets: FeedOffsets, nowMs: number): void {
    viewer.offsets = offsets;
    const isBehind = !isAtOrBefore(feed.head.offsets, offsets);
    const update = isBehind ? ring.holding(offsets) : undefined;
    // Of an update that began before the place, or where another copy was further, a part was sent.
    viewer.ahead = { offsets, sinceMs: nowMs };
    viewer.next = isBehind ? update?.number ?? -1 : feed.head.next;
    serve(viewer);
    waitForAhead(viewer, nowMs);
  }

  /** Another copy may be a moment further; a place that is never reached is of another log. */
  function waitForAhead(viewer: FactViewer, nowMs: number): void {
    if (viewer.ahead === undefined || viewer.isReading || viewer.next < feed.head.next) return;
    if (isAtOrBefore(viewer.ahead.offsets, feed.head.offsets)) viewer.ahead = undefined;
    else if (nowMs - viewer.ahead.sinceMs > limits.aheadMsMax) reset(viewer, 'ahead');
  }

  function heartbeat(viewer: FactViewer, nowMs: number): void {
    if (viewer.isReading || viewer.next < feed.head.next) return;
    if (nowMs - viewer.spokeAtMs < limits.heartbeatMs || !hasRoom(viewer, limits)) return;
    speak(viewer, sseMark(nowMs, idOf(viewer, viewer.offsets)), nowMs);
  }

  return {
    toHead, reset, idOf,
    serve(viewer, nowMs) {
      serve(viewer);
      waitForAhead(viewer, nowMs);
      heartbeat(viewer, nowMs);
    },
    resume(viewer, id, nowMs) {
      const offsets = ids.read(layout(), viewer, feed.head.offsets, id);
      if (typeof offsets === 'string') reset(viewer, offsets);
      else resume(viewer, offsets, nowMs);
    },
  };
}
