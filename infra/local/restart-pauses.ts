const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;
const HEALTHY_AFTER_MS = 10_000;

// How often in a row a part may end soon after its start before it is given up.
const RESTARTS_IN_A_ROW_MAX = 20;

/** The longest pause before a restart, in milliseconds. */
export const RESTART_PAUSE_MS_MAX = PAUSE_MS_MAX;

/**
 * Answers how long to pause before the next restart: doubling while the lives are short, starting
 * over after a healthy one, undefined when the part is given up.
 */
export function restartPauses(): (livedMs: number) => number | undefined {
  let inARow = 0;
  return (livedMs) => {
    inARow = livedMs > HEALTHY_AFTER_MS ? 1 : inARow + 1;
    if (inARow > RESTARTS_IN_A_ROW_MAX) return undefined;
    return Math.min(PAUSE_MS_MIN * 2 ** (inARow - 1), PAUSE_MS_MAX);
  };
}
