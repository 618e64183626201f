import type { Signals } from '../../kernel/signals.ts';

/** What a process acquired, in order, and how each of it is given back. */
export interface Lifecycle {
  /** Says how to give back what was just acquired. */
  readonly onRelease: (name: string, release: () => Promise<void> | void) => void;
  /** Gives everything back, the last acquired first; a failure does not keep the rest. */
  readonly release: () => Promise<void>;
  /** Resolves at the first SIGTERM or SIGINT; further ones change nothing. */
  readonly untilTold: () => Promise<void>;
}

/** Makes the lifecycle of this process. An unknown error is not caught: it is a bug. */
export function createLifecycle(signals: Signals): Lifecycle {
  const acquired: { name: string; release: () => Promise<void> | void }[] = [];
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => { resolve(); });
  });
  return {
    onRelease: (name, release) => { acquired.push({ name, release }); },
    async release() {
      for (const { name, release } of acquired.splice(0).toReversed()) {
        try {
          await release();
        } catch (error) {
          signals.log('error', 'release_failed', {
            part: name, reason: error instanceof Error ? error.message : String(error),
          });
        }
      }
    },
    untilTold: () => told,
  };
}
