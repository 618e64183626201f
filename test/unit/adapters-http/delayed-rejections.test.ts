import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDelayedRejections } from '../../../services/adapters/http/delayed-rejections.ts';

const PACE = { refusalsPerSecond: 10, refusalsBurst: 2, refusalHoldMsMax: 500, refusalsHeldMax: 8 };
const NOW = new Date(1_764_000_000_000);

beforeEach(() => { vi.useFakeTimers({ now: NOW }); });
afterEach(() => { vi.useRealTimers(); });

/** Names of refusals in the order and at the times, in ms, at which they were answered. */
function reported(): {
  readonly hold: (name: string, clientId?: string) => ServerResponse;
  readonly seen: () => readonly string[];
} {
  const seen: string[] = [];
  const delayRejection = createDelayedRejections(PACE, { nowMs: () => Date.now() });
  return {
    seen: () => seen,
    hold(name, clientId = 'loud') {
      const response = new EventEmitter() as unknown as ServerResponse;
      void delayRejection(clientId, response).then(() => {
        seen.push(`${name}@${Date.now() - NOW.getTime()}`);
      });
      return response;
    },
  };
}

describe('the pace of refusals', () => {
  it('answers the first ones at once, spreads what follows and holds none for long', async () => {
    const { hold, seen } = reported();
    for (let nth = 0; nth < 9; nth += 1) hold(String(nth));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen()).toEqual(['0@0', '1@0', '2@0']);
    await vi.advanceTimersByTimeAsync(499);
    expect(seen().slice(3)).toEqual(['3@100', '4@200', '5@300', '6@400']);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen().slice(7)).toEqual(['7@500', '8@500']);
  });

  it('is that of one client, and forgets it when it waits', async () => {
    const { hold, seen } = reported();
    for (let nth = 0; nth < 4; nth += 1) hold(String(nth));
    hold('other', 'quiet');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen()).toContain('other@0');
    expect(seen()).not.toContain('3@0');
    await vi.advanceTimersByTimeAsync(1_000);
    hold('later');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen().at(-1)).toBe('later@1000');
  });

  it('holds nothing for who hung up, and only so many at a time', async () => {
    const { hold, seen } = reported();
    const lines = Array.from({ length: 3 + PACE.refusalsHeldMax }, (_, nth) => hold(String(nth)));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen()).toHaveLength(3);
    hold('over');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen().at(-1)).toBe('over@0');
    lines.at(-1)?.emit('close');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen().at(-1)).toBe(`${lines.length - 1}@0`);
    hold('under');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen().at(-1)).not.toBe('under@0');
  });
});
