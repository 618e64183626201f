import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { topicsOf } from '../../../services/domain/live/facts.ts';
import { FACT_KINDS, type FactKind, type Viewer } from '../../../services/domain/live/scope.ts';
import { createFactFeed } from '../../../services/gateways/live/facts/fact-feed.ts';
import { audience } from '../../../services/gateways/live/facts/feed-fact.ts';
import type { LiveLimits } from '../../../services/gateways/live/limits.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { cursorAt, limitsWith, logRecord, OPEN_SEALS, post } from '../../support/live-feeds.ts';
import { testLine, type SeenEvent, type TestLine } from '../../support/live-lines.ts';

const FACT_TOPICS = topicsOf(FACT_KINDS);
const KINDS: readonly FactKind[] = ['device', 'command', 'dead_letter'];
const PLATFORM: Viewer = { kind: 'platform' };

/** A log that a test appends to, with feeds that follow it, as copies of one gateway would. */
function logWith(more: Partial<LiveLimits> = {}) {
  const log: LogRecord[] = [];
  const time = { nowMs: 1_764_000_000_000 };
  const reads: unknown[] = [];
  const state = { start: 0n, gate: Promise.resolve() };

  function copy(from = 0) {
    const feed = createFactFeed(limitsWith(more), {
      clock: { nowMs: () => time.nowMs }, seals: OPEN_SEALS, signals: silentSignals,
      follower: {
        extents: (topics) => Promise.resolve(topics.map((topic) => ({
          topic, topicId: `id-${topic}`, partition: 0, start: state.start, end: 99n,
        }))),
      },
      reader: {
        async readRanges(ranges, onRecords) {
          reads.push(ranges);
          await state.gate;
          const found = log.filter(({ topic, partition, offset }) => ranges.some((range) => (
            range.topic === topic && range.partition === partition
            && offset >= range.start && offset < range.end
          )));
          for (const record of found) await onRecords([record]);
        },
      },
    });
    let taken = from;
    const start = log.slice(0, from);
    feed.begin(cursorAt(FACT_TOPICS, FACT_TOPICS.flatMap((topic, nth) => {
      const next = start.filter((record) => record.topic === topic).length;
      return nth === 0 ? [next, 0] : [next];
    })));
    const advance = (): void => {
      for (; taken < log.length; taken += 1) {
        const record = log[taken];
        if (record !== undefined) feed.take(record);
      }
      feed.tick();
    };
    const follow = (
      viewer: Viewer = PLATFORM, lastEventId?: string, kinds = KINDS,
    ): TestLine & { leave: () => void } => {
      const line = testLine();
      return { ...line, leave: feed.join(audience(viewer, kinds), lastEventId, line) };
    };
    return { feed, advance, follow };
  }

  return {
    log, time, reads, state, copy,
    /** Appends starts of devices: each name once more. */
    append(...devices: readonly string[]) {
      for (const device of devices) {
        const offset = log.filter(({ topic }) => topic === TOPICS.deviceLifecycle.name).length;
        log.push(logRecord('deviceLifecycle', offset, device, {
          type: 'DeviceTrackingStarted', device_id: device, client_id: device.slice(0, 1),
        }));
      }
    },
  };
}

const devicesOf = (events: readonly SeenEvent[]): readonly unknown[] => (
  events.filter(({ event }) => event === 'facts').flatMap(({ data }) => (
    (data['facts'] as { fact: Record<string, unknown> }[]).map(({ fact }) => fact['device_id'])
  ))
);

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => { setImmediate(resolve); });
};

describe('a feed of facts', () => {
  it('says what comes from now on, in its order, with an id to go on from', () => {
    const { append, copy } = logWith();
    append('1a');
    const { advance, follow } = copy();
    advance();
    const line = follow();
    append('1b', '2c');
    advance();
    expect(line.events().map(({ event }) => event)).toEqual(['mark', 'facts']);
    expect(devicesOf(line.events())).toEqual(['1b', '2c']);
    expect(line.events()[1]?.data['facts']).toMatchObject([{
      kind: 'device', record_id: `id-${TOPICS.deviceLifecycle.name}:0:1`,
    }, {}]);
  });

  it('gives each caller its own facts, and kinds only where they are asked for', () => {
    const { append, log, copy } = logWith();
    const { advance, follow } = copy();
    const client = (clientId: string): Viewer => (
      { kind: 'client', clientId, providers: [], seesCommands: true }
    );
    const [one, two] = [follow(client('1')), follow(client('2'))];
    const receipts = follow(client('1'), undefined, ['receipt']);
    const carrier = follow({ kind: 'carrier', clientId: '1' });
    append('1a', '2b');
    log.push(post(0, '1a', 1, 1));
    advance();
    expect(devicesOf(one.events())).toEqual(['1a']);
    expect(devicesOf(two.events())).toEqual(['2b']);
    expect(receipts.events()[1]?.data['facts']).toMatchObject([
      { kind: 'receipt', fact: { ingest_id: 'post-1a-0' } },
    ]);
    expect(carrier.events().map(({ event }) => event)).toEqual(['mark']);
  });

  it('goes on behind the id: nothing missing, nothing twice, from memory without a read', () => {
    const { append, copy, reads } = logWith();
    const { advance, follow } = copy();
    const first = follow();
    append('1a', '1b');
    advance();
    first.leave();
    append('1c');
    advance();
    append('1d');
    advance();
    const again = follow(PLATFORM, first.events().at(-1)?.id);
    append('1e');
    advance();
    expect(devicesOf([...first.events(), ...again.events()])).toEqual(['1a', '1b', '1c', '1d', '1e']);
    expect(reads).toEqual([]);
  });

  it('goes on at a copy that cut its updates elsewhere, behind or ahead of it', () => {
    const { append, copy, reads } = logWith();
    const [one, other] = [copy(), copy()];
    const first = one.follow();
    append('1a', '1b', '1c');
    one.advance();
    append('1d');
    other.advance();
    const behind = other.follow(PLATFORM, first.events().at(-1)?.id);
    expect(devicesOf(behind.events())).toEqual(['1d']);
    append('1e', '1f');
    one.advance();
    const ahead = other.follow(PLATFORM, first.events().at(-1)?.id);
    append('1g');
    other.advance();
    expect(devicesOf(ahead.events())).toEqual(['1g']);
    expect(devicesOf(behind.events())).toEqual(['1d', '1e', '1f', '1g']);
    expect(reads).toEqual([]);
  });

  it('reads again from the log what it does not hold, while more comes', async () => {
    const { append, copy, state, log } = logWith();
    const one = copy();
    const first = one.follow();
    append('1a');
    one.advance();
    append('1b', '1c');
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const later = copy(log.length);
    const again = later.follow(PLATFORM, first.events().at(-1)?.id);
    append('1d');
    later.advance();
    append('1e');
    later.advance();
    gate.resolve();
    await until(() => devicesOf(again.events()).length === 4);
    append('1f');
    later.advance();
    expect(devicesOf([...first.events(), ...again.events()]))
      .toEqual(['1a', '1b', '1c', '1d', '1e', '1f']);
  });

  it('gives a reader that was slow everything all the same, and holds little for it', async () => {
    const { append, copy, reads } = logWith({
      factsKeptMax: 4, lineBytesMax: 500, pieceBytesMax: 300,
    });
    const { advance, follow } = copy();
    const [slow, fast] = [follow(), follow()];
    slow.stopReading();
    const all = Array.from({ length: 60 }, (_, nth) => `1n${nth}`);
    for (const device of all) {
      append(device);
      advance();
    }
    expect(devicesOf(fast.events())).toEqual(all);
    expect(slow.waitedMax()).toBeLessThan(500 + 1_000);
    slow.readOn();
    await until(() => devicesOf(slow.events()).length >= all.length);
    expect(devicesOf(slow.events())).toEqual(all);
    expect(reads).not.toEqual([]);
  });

  it('has a place behind each event, also where an update is several', () => {
    const { append, copy } = logWith({ pieceBytesMax: 300 });
    const { advance, follow } = copy();
    const line = follow();
    const all = Array.from({ length: 20 }, (_, nth) => `1n${nth}`);
    append(...all);
    advance();
    const events = line.events();
    expect(events.length).toBeGreaterThan(5);
    for (const cut of events.keys()) {
      const again = follow(PLATFORM, events[cut]?.id);
      expect(devicesOf([...events.slice(0, cut + 1), ...again.events()])).toEqual(all);
    }
  });

  it('says reset, and why, where it cannot go on, and goes on from now', async () => {
    const { append, copy, state, log } = logWith({ resumeRecordsMax: 2 });
    const one = copy();
    const first = one.follow();
    append('1a');
    one.advance();
    const id = first.events().at(-1)?.id ?? '';
    const reasonFor = async (lastEventId: string, kinds = KINDS): Promise<unknown> => {
      const later = copy(log.length);
      const line = later.follow(PLATFORM, lastEventId, kinds);
      await until(() => line.events().length > 0);
      const [reset] = line.events();
      append('1z');
      later.advance();
      expect(devicesOf(line.events()).at(-1)).toBe('1z');
      return [reset?.event, reset?.data['reason']];
    };
    expect(await reasonFor('made up')).toEqual(['reset', 'unreadable']);
    expect(await reasonFor(id, ['device'])).toEqual(['reset', 'unreadable']);
    append('1b', '1c', '1d');
    expect(await reasonFor(id)).toEqual(['reset', 'too_far']);
    const latest = copy(log.length - 1);
    const line = latest.follow();
    latest.advance();
    append('1e');
    state.start = 99n;
    expect(await reasonFor(line.events().at(-1)?.id ?? '')).toEqual(['reset', 'removed']);
  });

  it('says reset when the log never comes to where the id is', () => {
    const { append, copy } = logWith();
    const one = copy();
    const first = one.follow();
    append('1a', '1b');
    one.advance();
    const shorter = logWith();
    const other = shorter.copy();
    const line = other.follow(PLATFORM, first.events().at(-1)?.id);
    shorter.time.nowMs += 10_000;
    other.advance();
    expect(line.events()).toEqual([]);
    shorter.time.nowMs += 1;
    other.advance();
    expect(line.events()).toMatchObject([{ event: 'reset', data: { reason: 'ahead' } }]);
  });

  it('resets everyone when the place in the log was lost', () => {
    const { append, copy } = logWith();
    const { feed, advance, follow } = copy();
    const line = follow();
    append('1a');
    advance();
    feed.begin(cursorAt(FACT_TOPICS, FACT_TOPICS.flatMap((_, nth) => nth === 0 ? [50, 50] : [50])));
    feed.take(logRecord('deviceLifecycle', 50, '1z', { type: 'DeviceTrackingStarted', device_id: '1z' }));
    feed.tick();
    expect(line.events().map(({ event }) => event)).toEqual(['mark', 'facts', 'reset', 'facts']);
    expect(devicesOf(line.events())).toEqual(['1a', '1z']);
  });

  it('makes each event once for all who see the same', () => {
    const { append, copy } = logWith();
    const { feed, advance } = copy();
    const written: Uint8Array[][] = [[], []];
    for (const list of written) {
      feed.join(audience(PLATFORM, KINDS), undefined, {
        ...testLine(), write: (bytes) => { list.push(bytes); },
      });
    }
    append('1a');
    advance();
    expect(written[0]?.at(-1)).toBe(written[1]?.at(-1));
  });
});
