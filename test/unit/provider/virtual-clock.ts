import type { SendOnce, WaitingClock } from '../../../services/provider/ports.ts';

interface Waiter {
  readonly dueMs: number;
  readonly resolve: () => void;
}

/** A clock whose waits cost no time: when nothing is in flight it jumps to the next one. */
export interface VirtualClock extends WaitingClock {
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: number[];
  /** Keeps time still while a real request is in flight. */
  readonly holding: (send: SendOnce) => SendOnce;
}

/** Starts at `startMs`; time moves only by waiting. */
export function createVirtualClock(startMs: number): VirtualClock {
  const waiters: Waiter[] = [];
  const waits: number[] = [];
  let nowMs = startMs;
  let busy = 0;
  let pumping = false;

  async function pump(): Promise<void> {
    pumping = true;
    while (waiters.length > 0) {
      for (let ticks = 0; ticks < 4; ticks += 1) await new Promise((go) => setImmediate(go));
      if (busy > 0) continue;
      waiters.sort((left, right) => left.dueMs - right.dueMs);
      const next = waiters.shift();
      if (next === undefined) break;
      nowMs = Math.max(nowMs, next.dueMs);
      next.resolve();
    }
    pumping = false;
  }

  function wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
    waits.push(ms);
    return new Promise((resolve) => {
      const waiter = { dueMs: nowMs + ms, resolve };
      waiters.push(waiter);
      signal?.addEventListener('abort', () => {
        const index = waiters.indexOf(waiter);
        if (index >= 0) waiters.splice(index, 1);
        resolve();
      }, { once: true });
      if (!pumping) void pump();
    });
  }

  return {
    nowMs: () => nowMs,
    wait,
    waits,
    holding: (send) => async (request) => {
      busy += 1;
      try {
        return await send(request);
      } finally {
        busy -= 1;
      }
    },
  };
}

/** Resolves when the condition holds; real work goes on in between, no time is waited. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((go) => setImmediate(go));
}
