import {
  furthest, isAtOrBefore, readOffsets, writeOffsets, type FeedOffsets,
} from '../../../domain/live/offsets.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OffsetSeals } from '../../../kernel/offset-seals.ts';
import { overflowFold } from '../../../kernel/read-overflow.ts';
import type { LogRecord, UndecodableRecord } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { StreamLine } from '../../../kernel/stream-line.ts';
import type { FeedCursor } from '../feed-cursor.ts';
import type { LiveLimits } from '../limits.ts';
import type { MapSeed } from '../seed-map.ts';
import { sseReset, sseMark, type ResetReason } from '../sse.ts';
import { hasRoom, isStalled, newLine, speak, type LineState } from '../viewers.ts';
import { applyToFleets } from './apply-records.ts';
import type { Channel } from './channel.ts';
import { createChannels } from './channels.ts';
import { createFleets, type Fleets } from './fleets.ts';
import { overflowingAt } from './overflow-now.ts';
import type { FixQuestion } from './question.ts';
import { BINARY, binaryEvent, type FixFormat } from './updates.ts';

/** What a feed of positions needs from outside. */
export interface FixFeedPorts {
  readonly clock: Clock;
  readonly seals: OffsetSeals;
  readonly signals: Signals;
}

/** The feed of positions of one process; all its viewers share the updates. */
export interface FixFeed {
  /**
   * Begins, or begins again after the log was cut: at a place, with what is known until then. The
   * seed may know more of the log than the cursor, up to `seededUpTo`.
   */
  begin(cursor: FeedCursor, seed: MapSeed, seededUpTo?: FeedOffsets): void;
  /** Forgets the map until it begins again; there must be no viewer. */
  rest(): void;
  take(record: LogRecord | UndecodableRecord): void;
  /** Ends an update, and writes it to each viewer that has read the one before. */
  tick(): void;
  join(question: FixQuestion, line: StreamLine): () => void;
}

interface Viewer extends LineState {
  readonly channel: Channel;
  readonly format: FixFormat;
  /** Change up to which it was written to; 0 before anything was. */
  sent: number;
  /** Of what appeared after this change it may not know whose it is. */
  knows: number;
  /** The newest update when it had all of the map last, or began. */
  wholeAt: number;
}

interface Update {
  readonly change: number;
  /** Who has seen the log up to there knows all that is on the map. */
  readonly offsets: FeedOffsets;
  readonly id: string;
}

const FEED = 'positions';
/** Less than any place has: who was cut amid a whole map goes on from nowhere. */
const NO_PLACE = Uint8Array.of(0);

/** Makes a feed that has not begun. */
export function createFixFeed(limits: LiveLimits, ports: FixFeedPorts): FixFeed {
  const { clock, seals, signals } = ports;
  const viewers = new Set<Viewer>();
  let fleets: Fleets = createFleets();
  const beginId = seals.seal(NO_PLACE, FEED);
  const channels = createChannels({ ...limits, beginId }, clock, () => fleets);
  let overflow = overflowFold.empty();
  let cursor: FeedCursor | undefined;
  let updates: Update[] = [];
  let seededUpTo: FeedOffsets | undefined;

  function updateNow(at: FeedCursor): Update {
    const offsets = at.offsets();
    const id = seals.seal(writeOffsets(at.layout, offsets), FEED);
    return { change: fleets.change(), offsets: furthest(offsets, seededUpTo), id };
  }

  const newest = (): Update | undefined => updates.at(-1);
  const isAmidUpdate = (): boolean => fleets.change() !== newest()?.change;

  /** Lets a viewer begin, or begin again, behind a change; 0 is the whole map. */
  function begin(viewer: Viewer, sent: number, knows = sent): void {
    viewer.sent = sent;
    viewer.knows = knows;
    viewer.wholeAt = sent === 0 ? newest()?.change ?? 0 : sent;
  }

  function reset(viewer: Viewer, reason: ResetReason): void {
    begin(viewer, 0);
    signals.liveReset({ feed: 'positions', reason });
    const nowMs = clock.nowMs();
    speak(viewer, viewer.format === 'json'
      ? sseReset(reason, beginId) : binaryEvent(BINARY.reset, nowMs, beginId, reason), nowMs);
  }

  /** Writes what the viewer lacks, as far as there is room; the rest when it has read that. */
  function serve(viewer: Viewer): void {
    const head = newest();
    if (head === undefined || !viewers.has(viewer)) return;
    // What left before the oldest update is forgotten: nothing would take it off this map.
    if (viewer.wholeAt < (updates[0]?.change ?? 0)) reset(viewer, 'too_far');
    while (viewer.sent < head.change) {
      if (!hasRoom(viewer, limits)) {
        viewer.line.onDrained(() => { serve(viewer); });
        return;
      }
      const piece = viewer.channel.piece(viewer, head);
      if (piece.bytes !== undefined) speak(viewer, piece.bytes, clock.nowMs());
      viewer.sent = piece.upTo;
    }
    // What has moved since the update was not in it: the viewer may not know such a device.
    begin(viewer, head.change, isAmidUpdate() ? viewer.knows : head.change);
  }

  function heartbeat(viewer: Viewer, nowMs: number): void {
    const head = newest();
    if (head === undefined || viewer.sent < head.change) return;
    if (nowMs - viewer.spokeAtMs < limits.heartbeatMs || !hasRoom(viewer, limits)) return;
    speak(viewer, markOf(viewer, head, nowMs), nowMs);
  }

  /** States change with time too: a stopped device leaves, a decision about a provider ends. */
  function showStates(): void {
    const nowMs = clock.nowMs();
    fleets.showStoppedSince(nowMs - limits.stoppedShownMs);
    fleets.overflow(overflowingAt(overflow, nowMs));
  }

  return {
    begin(at, seed, upTo) {
      const isAnew = cursor !== undefined;
      cursor = at;
      seededUpTo = upTo;
      fleets = createFleets();
      channels.forget();
      ({ overflow } = seed);
      for (const fix of [...seed.fixes, ...seed.stoppedFixes]) fleets.seed(fix);
      for (const { deviceId, atMs } of seed.stops) fleets.stop(deviceId, atMs);
      showStates();
      updates = [];
      fleets.endUpdate(0);
      updates.push(updateNow(at));
      for (const viewer of viewers) {
        if (isAnew) reset(viewer, 'removed');
        serve(viewer);
      }
    },

    rest() {
      cursor = undefined;
      fleets = createFleets();
      overflow = overflowFold.empty();
      updates = [];
    },

    take(record) {
      if (cursor?.take(record) !== undefined) applyToFleets(fleets, overflow, record);
    },

    tick() {
      signals.liveViewers({ feed: 'positions', viewers: viewers.size });
      signals.liveDevices({ devices: fleets.size() });
      if (cursor === undefined) return;
      const nowMs = clock.nowMs();
      showStates();
      if (fleets.change() !== newest()?.change) {
        fleets.endUpdate(updates[0]?.change ?? 0);
        channels.forget();
        updates.push(updateNow(cursor));
        if (updates.length > limits.updatesKeptMax) updates.splice(0, updates.length / 4);
      }
      for (const viewer of viewers) {
        if (isStalled(viewer, nowMs, limits)) {
          signals.liveStalled({ feed: 'positions' });
          viewer.line.cut();
        } else {
          serve(viewer);
          heartbeat(viewer, nowMs);
        }
      }
    },

    join(question, line) {
      const nowMs = clock.nowMs();
      const viewer: Viewer = {
        ...newLine(line, nowMs), channel: channels.of(question), format: question.format,
        sent: 0, knows: 0, wholeAt: newest()?.change ?? 0,
      };
      viewers.add(viewer);
      if (question.lastEventId !== undefined) {
        const update = resumeAt(seals.open(question.lastEventId, FEED), cursor, updates);
        if (typeof update === 'string') reset(viewer, update);
        else begin(viewer, update.change);
      }
      const head = newest();
      // An empty map says so too: no caller needs to wait for a first device.
      if (head !== undefined && viewer.sent === head.change) {
        speak(viewer, markOf(viewer, head, nowMs), nowMs);
      }
      // Amid an update a map would lack what has moved: it is whole with the next tick.
      if (viewer.sent > 0 || !isAmidUpdate()) serve(viewer);
      return () => {
        viewers.delete(viewer);
        if ([...viewers].every(({ channel }) => channel !== viewer.channel)) {
          channels.end(question);
        }
      };
    },
  };
}

/** The update behind which a viewer goes on: the last that it has certainly seen. */
function resumeAt(
  id: Uint8Array | undefined, cursor: FeedCursor | undefined, updates: readonly Update[],
): Update | ResetReason {
  if (id === undefined || cursor === undefined) return 'unreadable';
  if (id.length === NO_PLACE.length) return 'too_far';
  const read = readOffsets(cursor.layout, id);
  if ('not' in read) return read.not;
  return updates.findLast(({ offsets }) => isAtOrBefore(offsets, read.offsets)) ?? 'too_far';
}

/** Where a feed is, in the form of a viewer. */
function markOf({ format }: Viewer, { id }: Update, nowMs: number): Buffer {
  return format === 'json' ? sseMark(nowMs, id) : binaryEvent(BINARY.mark, nowMs, id, '');
}
