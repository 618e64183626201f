import { retryWaitMs } from '../../kernel/retry-policy.ts';

/** Waits that double from `msMin` to `msMax`, each shortened by up to a half at random. */
export function backoffMs(attempt: number, msMin: number, msMax: number, random: number): number {
  return retryWaitMs({ firstMs: msMin, msMax, jitter: 0.5 }, attempt + 1, random);
}

/** Waits `ms`, or less when `signal` is aborted; never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
