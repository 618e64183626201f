import { describe, expect, it } from 'vitest';
import { FIX_TOPICS } from '../../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed } from '../../../services/gateways/live/fixes/fix-feed.ts';
import type { MapSeed } from '../../../services/gateways/live/seed-map.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  cursorAt, lastFix, limitsWith, logRecord, OPEN_SEALS, post, seedOf,
} from '../../support/live-feeds.ts';
import { testLine, type SeenEvent } from '../../support/live-lines.ts';

const NOW_MS = 1_764_000_000_000;
const DAY_MS = 86_400_000;

/** A feed that has begun with these devices, and the time that it thinks it is. */
function begun(fixes: MapSeed['fixes'], more: Partial<MapSeed> = {}) {
  const time = { nowMs: NOW_MS };
  const feed = createFixFeed(limitsWith(), {
    clock: { nowMs: () => time.nowMs }, seals: OPEN_SEALS, signals: silentSignals,
  });
  feed.begin(cursorAt(FIX_TOPICS), seedOf(fixes, more));
  const follow = (states: boolean, lastEventId?: string) => {
    const line = testLine();
    feed.join({ whose: 'all', provider: undefined, format: 'json', states, lastEventId }, line);
    return line;
  };
  return { feed, time, follow };
}

/** The state of each device on the map of who applied these events; null where it has none. */
function statesOf(events: readonly SeenEvent[]): Record<string, unknown> {
  const map = new Map<string, unknown>();
  for (const { event, data } of events) {
    if (event !== 'positions') continue;
    for (const row of data['positions'] as unknown[][]) map.set(String(row[0]), row[7]);
    for (const id of data['gone'] as string[]) map.delete(id);
  }
  return Object.fromEntries([...map].toSorted(([one], [other]) => one < other ? -1 : 1));
}

const stop = (offset: number, deviceId: string, atMs = NOW_MS) => logRecord(
  'deviceLifecycle', offset, deviceId,
  { type: 'DeviceTrackingStopped', device_id: deviceId, client_id: '1', at_ms: atMs },
);
let version = 0;
const decide = (offset: number, of: object) => logRecord('overflow', offset, `decision-${offset}`, {
  type: 'OverflowRecorded', state: 'in', version: version += 1, at_ms: NOW_MS, ...of,
});

describe('a feed of positions with states', () => {
  it('keeps a stopped device as stopped for a day, for who was there and for who comes', () => {
    const { feed, time, follow } = begun([lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const line = follow(true);
    expect(statesOf(line.events())).toEqual({ a: null, b: null });
    feed.take(stop(0, 'a'));
    feed.tick();
    expect(statesOf(line.events())).toEqual({ a: 'stopped', b: null });
    expect(statesOf(follow(true).events())).toEqual({ a: 'stopped', b: null });
    time.nowMs += DAY_MS;
    feed.tick();
    expect(statesOf(line.events())).toEqual({ a: 'stopped', b: null });
    time.nowMs += 1;
    feed.tick();
    expect(statesOf(line.events())).toEqual({ b: null });
    feed.take(post(0, 'a', 99, 7));
    feed.tick();
    expect(statesOf(line.events())).toEqual({ b: null });
  });

  it('shows a device of the same vehicle that starts again beside the stopped one, as moving', () => {
    const { feed, follow } = begun([lastFix('first', 0, 1)]);
    const line = follow(true);
    feed.take(stop(0, 'first'));
    feed.take(post(0, 'second', 1, 1));
    feed.tick();
    expect(statesOf(line.events())).toEqual({ first: 'stopped', second: null });
  });

  it('takes what a stopped device sent before, and says that it is stopped again', () => {
    const { feed, follow } = begun([lastFix('a', 0, 1)]);
    const [line, plain] = [follow(true), follow(false)];
    feed.take(stop(0, 'a'));
    feed.tick();
    feed.take(post(0, 'a', 5, 6));
    feed.tick();
    expect(line.events().at(-1)?.data['positions'])
      .toEqual([['a', 1_764_000_005, 6, 11.5, null, null, null, 'stopped']]);
    expect(plain.events().map(({ data }) => data['gone'])).toEqual([[], ['a']]);
  });

  it('begins with the stopped devices of a day and the decisions that hold', () => {
    const { follow } = begun([lastFix('a', 0, 1), lastFix('b', 0, 2)], {
      stops: [
        { deviceId: 'old', clientId: '1', atMs: NOW_MS - DAY_MS - 1 },
        { deviceId: 'stopped', clientId: '1', atMs: NOW_MS - DAY_MS },
      ],
      stoppedFixes: [lastFix('old', 0, 3), lastFix('stopped', 0, 4)],
      overflow: {
        devices: new Map([['b', {
          type: 'OverflowRecorded', device_id: 'b', state: 'in', version: 1, at_ms: 1,
        }]]),
        providers: new Map(),
      },
    });
    expect(statesOf(follow(true).events())).toEqual({ a: null, b: 'overflow', stopped: 'stopped' });
    expect(Object.keys(statesOf(follow(false).events()))).toEqual(['a', 'b']);
  });

  it('follows decisions about devices and providers, in and out, and until they end', () => {
    const { feed, time, follow } = begun([lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const line = follow(true);
    feed.take(decide(0, { device_id: 'a' }));
    feed.tick();
    expect(statesOf(line.events())).toEqual({ a: 'overflow', b: null });
    feed.take(decide(1, { device_id: 'a', state: 'out' }));
    feed.take(decide(2, { provider: 'acme', by: 'writer', ends_at_ms: NOW_MS + 1_000 }));
    feed.take(post(0, 'c', 1, 1));
    feed.take(post(1, 'd', 1, 1, { provider: 'other' }));
    feed.tick();
    expect(statesOf(line.events())).toEqual({ a: 'overflow', b: 'overflow', c: 'overflow', d: null });
    time.nowMs += 1_000;
    feed.tick();
    expect(statesOf(line.events())).toEqual({ a: null, b: null, c: null, d: null });
  });

  it('repeats nothing to who is shown no states', () => {
    const { feed, time, follow } = begun([lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const plain = follow(false);
    feed.take(decide(0, { provider: 'acme' }));
    feed.tick();
    feed.take(stop(0, 'a'));
    feed.tick();
    time.nowMs += DAY_MS + 1;
    feed.tick();
    expect(plain.events().slice(1).filter(({ event }) => event === 'positions')
      .map(({ data }) => [data['positions'], data['gone']])).toEqual([[[], ['a']]]);
  });

  it('goes on behind the last id with the states that changed since', () => {
    const { feed, follow } = begun([lastFix('a', 0, 1), lastFix('b', 0, 2)]);
    const seen = follow(true).events();
    feed.take(stop(0, 'a'));
    feed.take(decide(0, { device_id: 'b' }));
    feed.tick();
    const again = follow(true, seen.at(-1)?.id);
    expect(again.events().map(({ event }) => event)).toEqual(['positions']);
    expect(statesOf([...seen, ...again.events()])).toEqual({ a: 'stopped', b: 'overflow' });
  });
});
