import type { WaitingClock } from '../ports.ts';

/** The longest wait that a timer keeps exactly, in milliseconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The real time. A wait that an abort ends takes its timer with it. */
export function createWallClock(): WaitingClock {
  return {
    nowMs: () => Date.now(),
    wait(ms, signal) {
      if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', finish);
          resolve();
        };
        const timer = setTimeout(finish, Math.min(ms, TIMER_MS_MAX));
        signal?.addEventListener('abort', finish, { once: true });
      });
    },
  };
}
