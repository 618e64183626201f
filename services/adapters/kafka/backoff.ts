/** Waits that double from `msMin` to `msMax`, each shortened by up to a half at random. */
export function backoffMs(attempt: number, msMin: number, msMax: number, random: number): number {
  const full = Math.min(msMax, msMin * 2 ** Math.min(attempt, 30));
  return Math.round(full * (1 - random / 2));
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
