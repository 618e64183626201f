import type { Ports } from '../../../services/clients/typescript/src/index.ts';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that goes on to the next sleeper as soon as nothing else is left to run. */
export interface KitClock extends Pick<Ports, 'nowMs' | 'wallMs' | 'wait'> {
  /** The waits that were asked for, in ms, in their order. */
  readonly waits: readonly number[];
}

/** 2026-01-01 at the start. */
export const WALL_START_MS = 1_767_225_600_000;

export function createVirtualClock(): KitClock {
  const sleepers: Sleeper[] = [];
  const waits: number[] = [];
  let nowMs = 0;
  let isTicking = false;

  function tick(): void {
    const next = sleepers.sort((one, other) => one.atMs - other.atMs).shift();
    if (next !== undefined) {
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
    }
    if (sleepers.length > 0) setImmediate(tick);
    else isTicking = false;
  }

  return {
    waits,
    nowMs: () => nowMs,
    wallMs: () => WALL_START_MS + nowMs,
    wait(ms, signal) {
      if (signal.aborted || ms <= 0) return Promise.resolve();
      waits.push(ms);
      return new Promise((wake) => {
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.push(sleeper);
        signal.addEventListener('abort', () => {
          const at = sleepers.indexOf(sleeper);
          if (at >= 0) sleepers.splice(at, 1);
          wake();
        }, { once: true });
        if (isTicking) return;
        isTicking = true;
        setImmediate(tick);
      });
    },
  };
}
