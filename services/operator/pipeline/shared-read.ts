import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Code } from '../../kernel/codes.ts';
import { Unavailable } from '../../kernel/unavailable.ts';

/** How often something is read, and how long it is waited for. */
export interface SharedReadConfig {
  /** A value, or that there was none, is good for so long after the read began, in milliseconds. */
  readonly goodMs: number;
  /** How long an asker waits for it, from its beginning, in milliseconds. */
  readonly waitMsMax: number;
  /** What the asker is refused with when it does not come in that time. */
  readonly code: Code;
}

/** How it knows the time. */
export interface SharedReadPorts {
  readonly clock: Clock;
  readonly pause: Pause;
}

interface Run<Value> {
  readonly beganMs: number;
  readonly end: Promise<Value>;
  isOver: boolean;
}

/**
 * Reads once for all who ask: at most one read runs at a time, and none without an asker. One that
 * is late goes on alone; askers get `Unavailable` meanwhile, and its value once it is there.
 */
export function createSharedRead<Value>(
  { goodMs, waitMsMax, code }: SharedReadConfig, read: () => Promise<Value>,
  { clock, pause }: SharedReadPorts,
): () => Promise<Value> {
  let last: Run<Value> | undefined;

  function begin(): Run<Value> {
    const run: Run<Value> = { beganMs: clock.nowMs(), end: read(), isOver: false };
    const over = (): void => { run.isOver = true; };
    // Also where no asker waits any more: the next one gets what it ended with.
    run.end.then(over, over);
    return run;
  }

  return async () => {
    const nowMs = clock.nowMs();
    if (last === undefined || (last.isOver && nowMs - last.beganMs >= goodMs)) last = begin();
    const { end, beganMs, isOver } = last;
    if (isOver) return end;
    return Promise.race([end, lateAfter(waitMsMax - (nowMs - beganMs))]);
  };

  async function lateAfter(milliseconds: number): Promise<never> {
    if (milliseconds > 0) await pause(milliseconds);
    throw new Unavailable(code, 'receive', `no answer in ${waitMsMax} ms`);
  }
}
