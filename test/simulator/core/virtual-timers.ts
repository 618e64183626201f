import type { SimProcess, Scheduler } from './scheduler.ts';

type Callback = (...args: unknown[]) => void;

interface Timer { cancel: () => void }

const REAL = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
};

/**
 * Puts the timers of the language on the virtual clock while `work` runs: each belongs to the
 * process in whose name it was begun, and ends with it. Not for two runs at once in one thread.
 */
export async function withVirtualTimers<Result>(
  scheduler: Scheduler, work: () => Promise<Result>,
): Promise<Result> {
  Object.assign(globalThis, virtualTimers(scheduler));
  try {
    return await work();
  } finally {
    Object.assign(globalThis, REAL);
  }
}

function virtualTimers(scheduler: Scheduler): Record<keyof typeof REAL, unknown> {
  function ring(process: SimProcess, ms: number, callback: Callback, isRepeated: boolean): object {
    const timer: Timer = { cancel: () => undefined };
    const arm = (): void => {
      timer.cancel = scheduler.post(process, 'timer', `timer of ${ms} ms`, ms, () => {
        if (isRepeated) arm();
        callback();
      }).cancel;
    };
    arm();
    const handle = { timer, unref: () => handle, ref: () => handle, hasRef: () => true };
    return handle;
  }
  const clear = (given: { timer?: Timer } | undefined): void => given?.timer?.cancel();

  return {
    setTimeout: (callback: Callback, ms = 0) => ring(scheduler.current(), ms, callback, false),
    setInterval: (callback: Callback, ms = 1) => ring(scheduler.current(), ms, callback, true),
    clearTimeout: clear,
    clearInterval: clear,
  };
}
