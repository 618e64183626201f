import type { Signals } from '../../kernel/signals.ts';

/** What a process acquired, in order, and how each of it is given back. */
export interface Lifecycle {
  /** Says how to give back what was just acquired. */
  readonly onRelease: (name: string, release: () => Promise<void> | void) => void;
  /** Gives everything back, the last acquired first; one that fails or hangs keeps no other. */
  readonly release: () => Promise<void>;
  /** Resolves at the first SIGTERM or SIGINT; further ones change nothing. */
  readonly untilStopSignal: () => Promise<void>;
}

/** How long a process that ends waits for its parts. */
export interface LifecycleConfig {
  /** Longest time for one part; longer than any part needs that is well. */
  readonly releaseMsMax: number;
}

/** Makes the lifecycle of this process. An unknown error is not caught: it is a bug. */
export function createLifecycle(config: LifecycleConfig, signals: Signals): Lifecycle {
  const acquired: { name: string; release: () => Promise<void> | void }[] = [];
  const stopSignal = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => { resolve(); });
  });
  return {
    onRelease: (name, release) => { acquired.push({ name, release }); },
    async release() {
      for (const { name, release } of acquired.splice(0).toReversed()) {
        try {
          await within(config.releaseMsMax, release);
        } catch (error) {
          signals.releaseFailed({
            part: name, reason: error instanceof Error ? error.message : String(error),
          });
        }
      }
    },
    untilStopSignal: () => stopSignal,
  };
}

/** A part may wait for a log or a store that never comes back; the end must not. */
async function within(msMax: number, release: () => Promise<void> | void): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`did not end within ${msMax} ms`));
  }, msMax);
  try {
    await Promise.race([release(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
