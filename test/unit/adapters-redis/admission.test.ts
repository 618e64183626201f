import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdmissionReader } from '../../../services/adapters/redis/admission.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { wallClock } from '../../support/kafka-logs.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const LINGER_MS = 4;

/** A reader whose calls of the store are answered when the test says so. */
function open() {
  const calls: { readonly reads: number; readonly answer: () => void }[] = [];
  const reader = createAdmissionReader({
    ...REDIS_DEFAULTS, url: '', cluster: false, admissionLingerMsMax: LINGER_MS,
  }, (_, keys) => new Promise((resolve) => {
    calls.push({ reads: keys.length, answer: () => resolve(keys.map(() => '')) });
  }), silentSignals, wallClock);
  const read = (): void => {
    void reader.read({
      tokenHash: 'h', shard: 0, deviceId: undefined, locations: 0, notifications: 0, bytes: 0, charges: true,
    });
  };
  const nextTick = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return { read, nextTick, calls };
}

describe('reads of admission', () => {
  it('share a call when they come in one turn, or while another call is in progress', async () => {
    const { read, nextTick, calls } = open();
    for (let n = 0; n < 3; n += 1) read();
    await nextTick();
    expect(calls.map(({ reads }) => reads)).toEqual([3]);
    for (let n = 0; n < 5; n += 1) read();
    await vi.advanceTimersByTimeAsync(10 * LINGER_MS);
    expect(calls).toHaveLength(1);
    calls[0]?.answer();
    await nextTick();
    expect(calls.map(({ reads }) => reads)).toEqual([3, 5]);
  });

  it('do not wait when load is low', async () => {
    const { read, nextTick, calls } = open();
    for (let n = 0; n < 3; n += 1) {
      read();
      await nextTick();
      expect(calls).toHaveLength(n + 1);
      calls[n]?.answer();
      await nextTick();
    }
  });

  it('linger once a second call has come, and no longer than the limit', async () => {
    const { read, nextTick, calls } = open();
    for (let n = 0; n < 3; n += 1) {
      read();
      read();
      await vi.advanceTimersByTimeAsync(LINGER_MS);
      calls[n]?.answer();
      await nextTick();
    }
    read();
    await vi.advanceTimersByTimeAsync(LINGER_MS - 1);
    expect(calls).toHaveLength(3);
    read();
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.at(-1)?.reads).toBe(2);
  });
});
