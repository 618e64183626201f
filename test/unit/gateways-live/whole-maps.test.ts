import { describe, expect, it } from 'vitest';
import { FIX_TOPICS } from '../../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed, type FixFeed } from '../../../services/gateways/live/fixes/fix-feed.ts';
import type { LiveLimits } from '../../../services/gateways/live/limits.ts';
import type { MapSeed } from '../../../services/gateways/live/seed-map.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { latitudesOf } from '../../support/follow-feed.ts';
import {
  cursorAt, lastFix, limitsWith, logRecord, OPEN_SEALS, post, seedOf,
} from '../../support/live-feeds.ts';
import { testLine, type SeenEvent, type TestLine } from '../../support/live-lines.ts';

/** A feed that has begun with these devices, from a store that knows the log up to a place. */
function begun(
  fixes: MapSeed['fixes'] = [], seededUpTo?: readonly number[], limits: Partial<LiveLimits> = {},
): FixFeed {
  const feed = createFixFeed(limitsWith(limits), {
    clock: { nowMs: () => 1_764_000_000_000 }, seals: OPEN_SEALS, signals: silentSignals,
  });
  feed.begin(cursorAt(FIX_TOPICS), seedOf(fixes), seededUpTo);
  return feed;
}

function follow(feed: FixFeed, lastEventId?: string): TestLine {
  const line = testLine();
  feed.join({
    whose: 'all', provider: undefined, format: 'json', states: false, lastEventId,
  }, line);
  return line;
}

const idOf = (events: readonly SeenEvent[]): string | undefined => events.at(-1)?.id;

const stopOf = (deviceId: string) => logRecord('deviceLifecycle', 0, deviceId, {
  type: 'DeviceTrackingStopped', device_id: deviceId, client_id: '1',
});

/** What the rows of a device say besides where it is. */
const namesOf = (events: readonly SeenEvent[], device: string): readonly unknown[] => (
  events.flatMap(({ data }) => (data['positions'] ?? []) as unknown[][])
    .filter(([id]) => id === device).map((row) => row.slice(7)));

describe('a map of live positions', () => {
  it('begins again for who may not have seen what it began with', () => {
    const seen = follow(begun([lastFix('a', 0, 1), lastFix('b', 0, 2)])).events();
    // The cursor is before the stop of `a`, and the store behind it.
    const feed = begun([lastFix('b', 0, 2)], [1, 0, 0, 0, 0]);
    const again = follow(feed, idOf(seen));
    feed.take(stopOf('a'));
    feed.tick();
    expect(latitudesOf([...seen, ...again.events()])).toEqual({ b: 2 });
    feed.take(post(0, 'b', 1, 5));
    feed.tick();
    const id = idOf(follow(feed).events());
    feed.take(post(1, 'b', 2, 6));
    feed.tick();
    expect(follow(feed, id).events().map(({ event }) => event)).toEqual(['positions']);
  });

  it('comes whole again to who was cut amid it, at whatever copy', () => {
    const devices = [lastFix('a', 0, 1), lastFix('b', 0, 2), lastFix('c', 0, 3)];
    const feed = begun(devices, undefined, { pieceBytesMax: 1 });
    const begins = [follow(feed), follow(feed, 'made up')].map((line) => line.events());
    expect(begins.map(({ length }) => length)).toEqual([3, 4]);
    const before = follow(begun([...devices, lastFix('gone', 0, 4)])).events();
    for (const events of begins) {
      for (const [at] of events.slice(0, -1).entries()) {
        const seen = events.slice(0, at + 1);
        const again = follow(begun(devices), idOf(seen)).events();
        expect(again[0]).toMatchObject({ event: 'reset', data: { reason: 'too_far' } });
        expect(latitudesOf([...before, ...seen, ...again])).toEqual({ a: 1, b: 2, c: 3 });
      }
    }
  });

  it('lacks a device whose stop is read before its fix, for who saw that at another copy', () => {
    const [feed, other] = [begun([lastFix('a', 0, 1)]), begun([lastFix('a', 0, 1)])];
    const line = follow(other);
    other.take(post(0, 'b', 1, 4));
    other.tick();
    feed.take(stopOf('b'));
    feed.take(post(0, 'b', 1, 4));
    feed.tick();
    const again = follow(feed, idOf(line.events()));
    expect(latitudesOf([...line.events(), ...again.events()])).toEqual({ a: 1 });
  });

  it('says whose a device is to who comes right as it moves', () => {
    const feed = begun([lastFix('a', 0, 1)]);
    feed.take(post(0, 'a', 1, 3));
    const line = follow(feed);
    feed.tick();
    expect(namesOf(line.events(), 'a')[0]).toEqual(['acme', '1']);
    expect(latitudesOf(line.events())).toEqual({ a: 3 });
  });

  it('says whose a device is to who goes on right as it moves again', () => {
    const [feed, other] = [begun([lastFix('a', 0, 1)]), begun([lastFix('a', 0, 1)])];
    const id = idOf(follow(other).events());
    feed.take(post(0, 'b', 1, 4));
    feed.tick();
    feed.take(post(1, 'b', 2, 5));
    const line = follow(feed, id);
    feed.tick();
    feed.take(post(2, 'b', 3, 6));
    feed.tick();
    expect(namesOf(line.events(), 'b')).toEqual([['acme', '1'], []]);
  });
});
