import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { FeedName, FeedProgress, FeedStates } from '../../services/kernel/feeds.ts';

interface Kept {
  openedAtMs?: number;
  items: number;
  pages: number;
  cursor?: string;
  polled?: { due_ms: number; progress: FeedProgress };
}

/** {@link FeedStates} in memory, for the tests of who uses them. */
export interface FakeFeeds extends FeedStates {
  /** When each feed of a carrier is due, by tracking number. */
  due(carrier: string): ReadonlyMap<string, number>;
  /** Forgets everything; until {@link FakeFeeds.markReady} it is not ready either. */
  wipe(): void;
  markReady(): void;
}

/** Makes an empty, ready store that obeys `feed-states.suite.ts`. */
export function fakeFeeds(): FakeFeeds {
  const kept = new Map<string, Kept>();
  const queues = new Map<string, Map<string, number>>();
  const cancelled = new Map<string, number>();
  let isReady = true;

  const guard = (): void => {
    if (!isReady) throw new Unavailable('state_not_ready', 'decide', 'no ready mark');
  };
  const keyOf = ({ carrier, tracking_number }: FeedName): string => `${carrier}|${tracking_number}`;
  const at = (name: FeedName): Kept => {
    const found = kept.get(keyOf(name)) ?? { items: 0, pages: 0 };
    kept.set(keyOf(name), found);
    return found;
  };
  const queueOf = (carrier: string): Map<string, number> => {
    const found = queues.get(carrier) ?? new Map<string, number>();
    queues.set(carrier, found);
    return found;
  };

  return {
    async takeDue(carrier, nowMs, leaseMs, feedsMax) {
      guard();
      const queue = queueOf(carrier);
      const taken = [...queue].filter(([, dueMs]) => dueMs <= nowMs)
        .sort((a, b) => a[1] - b[1]).slice(0, feedsMax).map(([number]) => number);
      for (const number of taken) queue.set(number, nowMs + leaseMs);
      return taken;
    },
    async load(name) {
      guard();
      const found = kept.get(keyOf(name));
      if (found?.openedAtMs === undefined) return undefined;
      const { openedAtMs, items, pages, cursor, polled } = found;
      return {
        opened_at_ms: openedAtMs, cancelled_at_ms: cancelled.get(name.tracking_number),
        items, pages, cursor, polled,
      };
    },
    async reschedule(name, dueMs, progress) {
      const found = kept.get(keyOf(name));
      if (found !== undefined) found.polled = { due_ms: dueMs, progress };
      queueOf(name.carrier).set(name.tracking_number, dueMs);
    },
    async end({ carrier, tracking_number }) {
      queueOf(carrier).delete(tracking_number);
    },
    async open(name, atMs) {
      const one = at(name);
      one.openedAtMs = Math.max(one.openedAtMs ?? 0, atMs);
      const queue = queueOf(name.carrier);
      if (!queue.has(name.tracking_number)) queue.set(name.tracking_number, atMs);
    },
    async cancel(trackingNumber, atMs) {
      cancelled.set(trackingNumber, Math.max(cancelled.get(trackingNumber) ?? 0, atMs));
    },
    async advance({ carrier, tracking_number, items, pages, cursor }) {
      const one = at({ carrier, tracking_number });
      const isFurther = items > one.items || (items === one.items && pages > one.pages);
      if (isFurther) Object.assign(one, { items, pages, cursor });
    },
    due: (carrier) => queueOf(carrier),
    wipe() {
      isReady = false;
      for (const store of [kept, queues, cancelled]) store.clear();
    },
    markReady: () => { isReady = true; },
  };
}
