import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FeedName, FeedRead, FeedStates } from '../../services/kernel/feeds.ts';

/** The port of one implementation under test. */
export interface OpenedFeeds {
  readonly feeds: FeedStates;
  wipe(): Promise<void> | void;
  close(): Promise<void> | void;
}

const NOW_MS = Date.now();
/** A number as its carrier writes it. */
const SPELLING = ' rs\u200b 1 ';
const PROGRESS = { failures: 2, itemsMax: 12 };

/** The fact that a page of a feed was read. */
export function aFeedRead(
  name: FeedName, items: number, cursor = `c${items}`, pages = 1,
): FeedRead {
  return { type: 'FeedRead', ...name, pages, cursor, items, at_ms: NOW_MS };
}

/** What every implementation of the port about feeds must do. */
export function feedStatesSuite(open: () => Promise<OpenedFeeds>): void {
  let opened: OpenedFeeds;
  let feeds: FeedStates;
  let name: FeedName;
  beforeEach(async () => {
    opened = await open();
    feeds = opened.feeds;
    name = { carrier: `p-${randomUUID()}`, tracking_number: `RS ${randomUUID()}:é|` };
  });
  afterEach(() => opened.close());

  it('has a feed due from its authorization on, and takes it for one process at a time', async () => {
    await feeds.open(name, NOW_MS, SPELLING);
    const { carrier, tracking_number } = name;
    expect(await feeds.takeDue(carrier, NOW_MS - 1, 1_000, 10)).toEqual([]);
    expect(await feeds.takeDue('p-other', NOW_MS, 1_000, 10)).toEqual([]);
    expect(await feeds.takeDue(carrier, NOW_MS, 1_000, 10)).toEqual([tracking_number]);
    await feeds.open(name, NOW_MS, SPELLING);
    expect(await feeds.takeDue(carrier, NOW_MS, 1_000, 10)).toEqual([]);
    expect(await feeds.takeDue(carrier, NOW_MS + 1_000, 1_000, 10)).toEqual([tracking_number]);
    expect(await feeds.load(name)).toEqual({
      opened_at_ms: NOW_MS, spelling: SPELLING, cancelled_at_ms: undefined,
      items: 0, pages: 0, cursor: undefined,
      polled: undefined,
    });
    expect(await feeds.load({ ...name, carrier: 'p-other' })).toBeUndefined();
  });

  it('takes the oldest first and no more than it is asked for', async () => {
    const { carrier } = name;
    for (const [number, at] of [['b', 2], ['c', 3], ['a', 1]] as const) {
      await feeds.open({ carrier, tracking_number: number }, NOW_MS + at, number);
    }
    expect(await feeds.takeDue(carrier, NOW_MS + 9, 1_000, 2)).toEqual(['a', 'b']);
  });

  it('comes back when it was settled for, and never after its end', async () => {
    await feeds.open(name, NOW_MS, SPELLING);
    await feeds.reschedule(name, NOW_MS + 500, PROGRESS);
    expect(await feeds.takeDue(name.carrier, NOW_MS + 499, 1, 10)).toEqual([]);
    expect(await feeds.takeDue(name.carrier, NOW_MS + 500, 1, 10)).toHaveLength(1);
    expect((await feeds.load(name))?.polled).toEqual({ due_ms: NOW_MS + 500, progress: PROGRESS });
    await feeds.end(name);
    expect(await feeds.takeDue(name.carrier, NOW_MS * 2, 1, 10)).toEqual([]);
  });

  it('knows its progress, in any order of the facts', async () => {
    await feeds.advance(aFeedRead(name, 2));
    await feeds.open(name, NOW_MS, SPELLING);
    await feeds.advance(aFeedRead(name, 1));
    await feeds.advance(aFeedRead(name, 2, 'of another process'));
    expect(await feeds.load(name)).toMatchObject({ items: 2, pages: 1, cursor: 'c2' });
    await feeds.advance(aFeedRead(name, 2, 'behind an empty page', 2));
    expect(await feeds.load(name)).toMatchObject({ items: 2, cursor: 'behind an empty page' });
    await feeds.advance(aFeedRead(name, 10));
    await feeds.open(name, NOW_MS - 5, 'older');
    expect(await feeds.load(name)).toMatchObject({
      opened_at_ms: NOW_MS, spelling: SPELLING, items: 10, pages: 1, cursor: 'c10',
    });
  });

  it('knows the last cancellation of a number', async () => {
    await feeds.cancel(name.tracking_number, NOW_MS + 1);
    await feeds.cancel(name.tracking_number, NOW_MS);
    expect(await feeds.load(name)).toBeUndefined();
    await feeds.open(name, NOW_MS, SPELLING);
    expect(await feeds.load(name)).toMatchObject({ cancelled_at_ms: NOW_MS + 1 });
  });

  it('does not bring a feed into being by settling it', async () => {
    await feeds.reschedule(name, NOW_MS, PROGRESS);
    expect(await feeds.load(name)).toBeUndefined();
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await opened.wipe();
    await feeds.open(name, NOW_MS, SPELLING);
    await feeds.advance(aFeedRead(name, 1));
    await feeds.cancel(name.tracking_number, NOW_MS);
    await expect(feeds.load(name)).rejects.toMatchObject({ code: 'state_not_ready' });
    await expect(feeds.takeDue(name.carrier, NOW_MS, 1, 1))
      .rejects.toMatchObject({ code: 'state_not_ready' });
  });
}
