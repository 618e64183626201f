import { setTimeout as delay } from 'node:timers/promises';

/** How much clients do. */
export interface Load {
  /** Between two calls of one client at most, in milliseconds; drawn again each time. */
  readonly pauseMsMax: number;
  /** All clients together; as many as they can when absent. */
  readonly callsPerSecond?: number;
}

/** Pauses that leave the processes of one machine time for the faults. */
export const USUAL_LOAD: Load = { pauseMsMax: 250 };

/** No pause at all, which shows the capacity. */
export const FULL_LOAD: Load = { pauseMsMax: 0 };

const SECOND_MS = 1_000;

/** The time as turns see it; handed in so that a test needs none. */
interface Time {
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

const TRUE_TIME: Time = { nowMs: () => performance.now(), pause: (ms) => delay(ms) };

/** Waits for the turn of one try: turns come at even distances, and none is saved up for later. */
export function createPacer(
  { callsPerSecond }: Load, { nowMs, pause }: Time = TRUE_TIME,
): () => Promise<void> {
  if (callsPerSecond === undefined) return async () => undefined;
  const distanceMs = SECOND_MS / callsPerSecond;
  let nextMs = 0;
  return async () => {
    const slotMs = Math.max(nextMs, nowMs());
    nextMs = slotMs + distanceMs;
    const leftMs = slotMs - nowMs();
    if (leftMs > 0) await pause(leftMs);
  };
}
