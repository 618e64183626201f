import { describe, expect, it } from 'vitest';
import type { LiveLimits } from '../../../services/gateways/live/limits.ts';
import { FIX_TOPICS } from '../../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed, type FixFeed } from '../../../services/gateways/live/fixes/fix-feed.ts';
import type { FixQuestion } from '../../../services/gateways/live/fixes/question.ts';
import type { MapSeed } from '../../../services/gateways/live/seed-map.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  cursorAt, lastFix, limitsWith, logRecord, OPEN_SEALS, post, seedOf,
} from '../../support/live-feeds.ts';
import { testLine, type SeenEvent, type TestLine } from '../../support/live-lines.ts';

const ALL: FixQuestion = {
  whose: 'all', provider: undefined, format: 'json', states: false, lastEventId: undefined,
};

/** A feed that has begun, and the time that it thinks it is. */
function begun(more: Partial<LiveLimits> = {}, seed: MapSeed['fixes'] = [], states: Partial<MapSeed> = {}) {
  const time = { nowMs: 1_764_000_000_000 };
  const feed = createFixFeed(limitsWith(more), {
    clock: { nowMs: () => time.nowMs }, seals: OPEN_SEALS, signals: silentSignals,
  });
  feed.begin(cursorAt(FIX_TOPICS), seedOf(seed, states));
  const follow = (question: Partial<FixQuestion> = {}): TestLine & { leave: () => void } => {
    const line = testLine();
    return { ...line, leave: feed.join({ ...ALL, ...question }, line) };
  };
  return { feed, time, follow };
}

/** The map of who applied these events to an empty one, by device. */
function mapOf(events: readonly SeenEvent[]): Record<string, unknown[]> {
  const map = new Map<string, unknown[]>();
  for (const { event, data } of events) {
    if (event === 'reset') map.clear();
    if (event !== 'positions') continue;
    for (const [id, ...row] of data['positions'] as [string, ...unknown[]][]) {
      map.set(id, [...row, ...(map.get(id) ?? []).slice(row.length)]);
    }
    for (const id of data['gone'] as string[]) map.delete(id);
  }
  return Object.fromEntries([...map].toSorted(([one], [other]) => one < other ? -1 : 1));
}

const latitudes = (events: readonly SeenEvent[]): Record<string, unknown> => (
  Object.fromEntries(Object.entries(mapOf(events)).map(([id, [, latitude]]) => [id, latitude]))
);

const stop = (offset: number, deviceId: string) => logRecord(
  'deviceLifecycle', offset, deviceId,
  { type: 'DeviceTrackingStopped', device_id: deviceId, client_id: '1' },
);

describe('a feed of positions', () => {
  it('begins with the whole map, and then says what moved, each device once an update', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const line = follow();
    expect(latitudes(line.events())).toEqual({ a: 1, b: 2 });
    feed.take(post(0, 'a', 1, 3));
    feed.take(post(1, 'a', 2, 4));
    expect(line.events()).toHaveLength(1);
    feed.tick();
    const [, moved] = line.events();
    expect(moved?.data['positions']).toEqual([['a', 1_764_000_002, 4, 11.5, null, null, null]]);
    feed.tick();
    expect(line.events()).toHaveLength(2);
  });

  it('says whose a device is where its reader may not know it: once, and to a newcomer again', () => {
    const { feed, follow } = begun();
    const first = follow();
    feed.take(post(0, 'a', 1, 3));
    feed.tick();
    feed.take(post(1, 'a', 2, 4));
    feed.tick();
    expect(first.events().slice(1).map(({ data }) => (data['positions'] as unknown[][])[0]?.slice(7)))
      .toEqual([['acme', '1'], []]);
    expect(mapOf(follow().events())['a']?.slice(6)).toEqual(['acme', '1']);
    expect(mapOf(follow({ whose: '1' }).events())['a']?.slice(6)).toEqual(['acme']);
  });

  it('keeps the newest position: a late one never moves a device back', () => {
    const { feed, follow } = begun({}, [lastFix('a', 5, 1)]);
    const line = follow();
    feed.take(post(0, 'a', 4, 9));
    feed.tick();
    expect(latitudes(line.events())).toEqual({ a: 1 });
    feed.take(post(1, 'a', 5, 7));
    feed.tick();
    expect(latitudes(line.events())).toEqual({ a: 7 });
  });

  it('takes stopped and erased devices off the map, for who was there and for who comes', () => {
    const { feed, follow } = begun({}, [
      lastFix('a', 0, 1), lastFix('b', 0, 2), lastFix('c', 0, 3),
    ]);
    const line = follow();
    feed.take(stop(0, 'a'));
    feed.take(logRecord('erasedTracks', 0, 'b', {
      type: 'TrackErased', device_id: 'b', received_until_ms: 1_764_000_000_000,
    }));
    feed.take(post(0, 'a', 9, 8));
    feed.take(post(1, 'b', 0, 8));
    feed.tick();
    expect(latitudes(line.events())).toEqual({ c: 3 });
    expect(latitudes(follow().events())).toEqual({ c: 3 });
    feed.take(post(2, 'b', 1, 8));
    feed.tick();
    expect(latitudes(line.events())).toEqual({ b: 8, c: 3 });
  });

  it('shows a client its own devices and no others, in any update', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1)]);
    const own = follow({ whose: '1' });
    const other = follow({ whose: '2' });
    feed.take(post(0, 'foreign', 1, 5, { client: '2' }));
    feed.take(post(1, 'b', 1, 6));
    feed.tick();
    feed.take(stop(0, 'a'));
    feed.tick();
    expect(latitudes(own.events())).toEqual({ b: 6 });
    expect(latitudes(other.events())).toEqual({ foreign: 5 });
    expect(other.bytes().toString()).not.toMatch(/"a"|"b"/);
    expect(own.bytes().toString()).not.toContain('foreign');
  });

  it('shows the platform one provider alone where it asks for it', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1)]);
    const line = follow({ provider: 'other' });
    feed.take(post(0, 'b', 1, 5, { provider: 'other' }));
    feed.tick();
    expect(latitudes(line.events())).toEqual({ b: 5 });
  });

  it('writes the very same bytes to all who see the same', () => {
    const { feed, follow } = begun();
    const written: Uint8Array[][] = [[], []];
    for (const list of written) {
      const line = testLine();
      feed.join(ALL, { ...line, write: (bytes) => { list.push(bytes); } });
    }
    follow();
    feed.take(post(0, 'a', 1, 3));
    feed.tick();
    expect(written[0]?.at(-1)).toBe(written[1]?.at(-1));
  });

  it('goes on behind the id that was seen last, with what moved since and nothing else', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1), lastFix('b', 0, 2), lastFix('c', 0, 3)]);
    const first = follow();
    feed.take(post(0, 'a', 1, 5));
    feed.tick();
    first.leave();
    const seen = first.events();
    feed.take(post(1, 'b', 1, 6));
    feed.take(stop(0, 'c'));
    feed.tick();
    const again = follow({ lastEventId: seen.at(-1)?.id });
    expect(again.events().map(({ event }) => event)).toEqual(['positions']);
    expect(again.events()[0]?.data['positions']).toHaveLength(1);
    expect(latitudes([...seen, ...again.events()])).toEqual({ a: 5, b: 6 });
  });

  it('goes on at another copy, as long as that was there before', () => {
    const one = begun();
    const other = begun();
    const first = one.follow();
    for (const { feed } of [one, other]) {
      feed.take(post(0, 'a', 1, 5));
      feed.tick();
      feed.take(post(1, 'b', 1, 6));
      feed.tick();
    }
    const seen = first.events().slice(0, 2);
    const again = other.follow({ lastEventId: seen.at(-1)?.id });
    expect(again.events().map(({ event }) => event)).toEqual(['positions']);
    expect(latitudes([...seen, ...again.events()])).toEqual({ a: 5, b: 6 });
  });

  it('says reset and gives the whole map where it cannot go on', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1)]);
    const id = follow().events().at(-1)?.id;
    for (const [lastEventId, reason] of [
      ['made up', 'unreadable'], [id?.replace('positions', 'facts'), 'unreadable'],
    ] as const) {
      const [reset, ...rest] = follow({ lastEventId }).events();
      expect(reset).toMatchObject({ event: 'reset', data: { reason } });
      expect(latitudes(rest)).toEqual({ a: 1 });
    }
    const later = createFeedOf(cursorAt(FIX_TOPICS, [7, 7, 7, 7, 7]));
    expect(firstOf(later, id)).toMatchObject({ event: 'reset', data: { reason: 'too_far' } });
    const remade = createFeedOf(cursorAt(FIX_TOPICS, [], 'another'));
    expect(firstOf(remade, id)).toMatchObject({ event: 'reset', data: { reason: 'remade' } });
    feed.begin(cursorAt(FIX_TOPICS), seedOf());
  });

  it('resets who is there when the log lost its place, and shows what is known then', () => {
    const { feed, follow } = begun({}, [lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const line = follow();
    feed.begin(cursorAt(FIX_TOPICS, [9, 9, 9, 9, 9]), seedOf([lastFix('a', 3, 4)]));
    expect(line.events()[1]).toMatchObject({ event: 'reset', data: { reason: 'removed' } });
    expect(latitudes(line.events())).toEqual({ a: 4 });
  });

  it('holds little for who does not read, gives it each device once when it does, and serves others', () => {
    const { feed, follow, time } = begun({ lineBytesMax: 2_000, pieceBytesMax: 1_600 });
    const slow = follow();
    const fast = follow();
    slow.stopReading();
    for (let second = 1; second <= 200; second += 1) {
      for (const [nth, device] of Array.from('abcdefghijkl').entries()) {
        feed.take(post(second * 12 + nth, device, second, second));
      }
      feed.tick();
      time.nowMs += 250;
    }
    expect(slow.waitedMax()).toBeLessThan(2_000 + 1_600);
    const before = slow.events().length;
    slow.readOn();
    const rows = slow.events().slice(before).flatMap(({ data }) => data['positions'] as unknown[]);
    expect(rows).toHaveLength(12);
    expect(latitudes(slow.events())).toEqual(latitudes(fast.events()));
    expect(fast.events().filter(({ event }) => event === 'positions').length).toBe(400);
  });

  it('cuts who has read nothing for a minute, and no one else', () => {
    const { feed, follow, time } = begun();
    const [still, slow] = [follow(), follow()];
    for (const line of [still, slow]) line.stopReading();
    feed.take(post(0, 'a', 1, 1));
    feed.tick();
    time.nowMs += 60_000;
    feed.tick();
    slow.readOn();
    expect(still.isOver()).toBe(false);
    time.nowMs += 1;
    feed.tick();
    expect([still.isOver(), slow.isOver()]).toEqual([true, false]);
  });

  it('says where it stands when nothing happens, and at once when the map is empty', () => {
    const { feed, follow, time } = begun();
    const line = follow();
    expect(line.events()).toMatchObject([{ event: 'mark' }]);
    time.nowMs += 14_999;
    feed.tick();
    expect(line.events()).toHaveLength(1);
    time.nowMs += 1;
    feed.tick();
    expect(line.events()).toMatchObject([{ event: 'mark' }, { event: 'mark' }]);
  });

  it('cuts a large map into pieces, of which only the last can be gone on behind', () => {
    const seed = Array.from({ length: 25 }, (_, nth) => lastFix(`d${nth}`, 0, nth));
    const { follow } = begun({ pieceBytesMax: 1_600 }, seed);
    const events = follow().events();
    expect(events.map(({ data }) => data['has_more'])).toEqual([true, true, false]);
    const resumed = events.map(({ id }) => follow({ lastEventId: id }).events()[0]?.event);
    expect(resumed).toEqual(['reset', 'reset', 'mark']);
    expect(Object.keys(mapOf(events))).toHaveLength(25);
  });

  it('resets who was behind for longer than what left is remembered', () => {
    const { feed, follow, time } = begun({ updatesKeptMax: 8, lineBytesMax: 0 }, [lastFix('a', 0, 1)]);
    const slow = follow();
    slow.stopReading();
    feed.take(post(0, 'b', 1, 1));
    feed.tick();
    feed.take(stop(0, 'a'));
    for (let second = 2; second < 40; second += 1) {
      feed.take(post(second, 'b', second, second));
      feed.tick();
      time.nowMs += 250;
    }
    slow.readOn();
    expect(slow.events().some(({ event, data }) => (
      event === 'reset' && data['reason'] === 'too_far'
    ))).toBe(true);
    expect(latitudes(slow.events())).toEqual({ b: 39 });
  });
});

function createFeedOf(cursor: ReturnType<typeof cursorAt>): FixFeed {
  const feed = createFixFeed(limitsWith(), {
    clock: { nowMs: () => 0 }, seals: OPEN_SEALS, signals: silentSignals,
  });
  feed.begin(cursor, seedOf());
  return feed;
}

function firstOf(feed: FixFeed, lastEventId: string | undefined): SeenEvent | undefined {
  const line = testLine();
  feed.join({ ...ALL, lastEventId }, line);
  return line.events()[0];
}
