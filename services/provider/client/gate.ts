import type { WaitingClock } from '../ports.ts';

/** Limits of what the provider has in flight. */
export interface GateConfig {
  readonly inFlightMax: number;
  /** Requests begun per second; below the platform's quota, or every device waits five minutes. */
  readonly requestsPerSecondMax: number;
}

/** Lets requests through one after another, paced and bounded. */
export interface SendGate {
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>;
  readonly inFlight: () => number;
}

/**
 * A first-come gate. Its queue is bounded by the callers: a device waits for its own request
 * before it makes the next, so at most one entry per device stands here.
 */
export function createGate(config: GateConfig, clock: WaitingClock): SendGate {
  const spacingMs = 1000 / config.requestsPerSecondMax;
  const waiting: (() => void)[] = [];
  let running = 0;
  let nextSlotMs = 0;

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (running >= config.inFlightMax) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      const slotMs = Math.max(clock.nowMs(), nextSlotMs);
      nextSlotMs = slotMs + spacingMs;
      const aheadMs = slotMs - clock.nowMs();
      if (aheadMs > 0) await clock.wait(aheadMs);
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return { pass, inFlight: () => running };
}
