import type { Ports } from './options.ts';

/** A timer takes no longer wait. */
const TIMER_MS_MAX = 2_147_483_647;

/** The machine. */
export const MACHINE: Ports = {
  fetch: (input, init) => fetch(input, init),
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  wait,
  random: () => Math.random(),
};

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = endMs - performance.now()) {
    await once(Math.min(Math.ceil(left), TIMER_MS_MAX), signal);
  }
}

function once(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
