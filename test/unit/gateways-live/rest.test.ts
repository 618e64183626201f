import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, systemPause } from '../../../services/adapters/system/system.ts';
import { createLive, type Live } from '../../../services/gateways/live/create-live.ts';
import type { LiveLimits } from '../../../services/gateways/live/limits.ts';
import type { LastFix } from '../../../services/kernel/fixes.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { StreamLine } from '../../../services/kernel/stream-line.ts';
import { lastFix, limitsWith, OPEN_SEALS } from '../../support/live-feeds.ts';

const WAIT = { timeout: 20_000, interval: 10 };

/** A line that keeps what was written to it. */
function openLine(): { readonly line: StreamLine; readonly written: () => string } {
  const pieces: Uint8Array[] = [];
  return {
    written: () => Buffer.concat(pieces).toString(),
    line: {
      write: (bytes) => { pieces.push(bytes); }, waitingBytes: () => 0,
      onDrained: () => undefined, end: () => undefined, cut: () => undefined,
    },
  };
}

const running: Live[] = [];
afterEach(() => Promise.all(running.splice(0).map((live) => live.close())));

/** Feeds over a log without records, whose readings are counted. */
async function open(more: Partial<LiveLimits> = {}) {
  const log = { readers: 0, rests: 0, ticks: 0, isStateThere: true, known: [] as LastFix[] };
  const live = createLive(limitsWith({ tickMs: 5, restAfterMs: 20, ...more }), {
    follower: {
      extents: () => Promise.resolve([]),
      committed: () => Promise.resolve(new Map()),
      async follow(_from, _onRecords, left) {
        log.readers += 1;
        if (!left.aborted) await once(left, 'abort');
        log.readers -= 1;
      },
    },
    reader: { readRanges: () => Promise.resolve() },
    watch: { firstSince: () => Promise.resolve(new Map()) },
    access: { findClient: () => Promise.resolve(undefined) },
    directory: {
      clientsOf: (shard, after) => (
        Promise.resolve(shard === 0 && after === undefined ? ['1'] : [])
      ),
    },
    lastFixes: {
      isComplete: () => Promise.resolve(log.isStateThere),
      find: () => Promise.resolve(undefined),
      findWithin: () => Promise.resolve({ fixes: log.known, next: undefined }),
    },
    seals: OPEN_SEALS, projectorGroup: 'none', clock: systemClock, pause: systemPause,
    signals: {
      ...silentSignals,
      liveRested: () => { log.rests += 1; },
      liveBehind: () => { log.ticks += 1; },
    },
  });
  running.push(live);
  void live.run();
  await expect.poll(() => live.isReady(), WAIT).toBe(true);
  return { live, log };
}

const ALL = {
  whose: 'all', provider: undefined, format: 'json', states: false, lastEventId: undefined,
} as const;

describe('live feeds without viewers', () => {
  it('read nothing, and begin with the map of the time when a viewer comes', async () => {
    const { live, log } = await open();
    await expect.poll(() => log.rests, WAIT).toBe(1);
    expect(log.readers).toBe(0);
    expect(live.isReady()).toBe(true);
    log.known = [lastFix('came-meanwhile', 1, 48)];
    await live.wake();
    expect(live.refuses('1')).toBeUndefined();
    const { line, written } = openLine();
    live.admit('1', line);
    live.fixes.join(ALL, line);
    expect(written()).toContain('came-meanwhile');
  });

  it('go on reading while one is there, and rest again when it has left', async () => {
    const { live, log } = await open();
    await expect.poll(() => log.rests, WAIT).toBe(1);
    await live.wake();
    const letGo = live.admit('1', openLine().line);
    await expect.poll(() => log.readers, WAIT).toBe(1);
    const seen = log.ticks;
    await expect.poll(() => log.ticks, WAIT).toBeGreaterThan(seen + 20);
    expect([log.readers, log.rests]).toEqual([1, 1]);
    letGo();
    await expect.poll(() => log.rests, WAIT).toBe(2);
    expect(log.readers).toBe(0);
  });

  it('are not ready for a viewer while the state store cannot give the map', async () => {
    const { live, log } = await open({ wakeMsMax: 30 });
    await expect.poll(() => log.rests, WAIT).toBe(1);
    log.isStateThere = false;
    await live.wake();
    expect(live.refuses('1')).toBe('not_ready');
    log.isStateThere = true;
    // Each try wakes it: without a viewer it soon rests again.
    await expect.poll(async () => {
      await live.wake();
      return live.refuses('1');
    }, WAIT).toBeUndefined();
  });

  it('end while they rest', async () => {
    const { live, log } = await open();
    await expect.poll(() => log.rests, WAIT).toBe(1);
    await live.close();
    expect(live.refuses('1')).toBe('leaving');
  });
});
