import type { ServerResponse } from 'node:http';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Clock } from '../../kernel/clock.ts';

/** How fast callers above their limit are refused; it costs them time and us nearly nothing. */
export interface DelayedRejectionsConfig {
  /** Refusals that one client gets in a second, and how many at once before that counts. */
  readonly refusalsPerSecond: number;
  readonly refusalsBurst: number;
  /** Longest time for which a refusal is held back. */
  readonly refusalHoldMsMax: number;
  /** Refusals of all clients that are held back together; beyond it they are answered at once. */
  readonly refusalsHeldMax: number;
}

/** Holds back a refusal for the limit of a client; ends early when the caller hangs up. */
export type DelayRejection = (clientId: string, response: ServerResponse) => Promise<void>;

const CLIENTS_MAX = 1_024;

/**
 * Makes what slows down callers who go on posting above their limit. Each of their lines waits for
 * its answer, so that a caller that does not wait five minutes cannot make the gateway spend
 * on refusing what belongs to the others. What is admitted is never held back.
 */
export function createDelayedRejections(
  config: DelayedRejectionsConfig, clock: Clock,
): DelayRejection {
  const { refusalsPerSecond, refusalsBurst, refusalHoldMsMax, refusalsHeldMax } = config;
  const intervalMs = 1_000 / refusalsPerSecond;
  const freeMs = refusalsBurst * intervalMs;
  /** Until when the refusals of a client are spread. */
  const spreadUntilMs = createBoundedCache<string, number>(CLIENTS_MAX);
  let held = 0;

  function holdMsOf(clientId: string): number {
    const nowMs = clock.nowMs();
    const latestMs = nowMs + freeMs + refusalHoldMsMax;
    const dueMs = Math.min(Math.max(spreadUntilMs.get(clientId) ?? 0, nowMs), latestMs);
    spreadUntilMs.set(clientId, dueMs + intervalMs);
    return Math.max(0, dueMs - nowMs - freeMs);
  }

  return (clientId, response) => {
    const holdMs = holdMsOf(clientId);
    if (holdMs === 0 || held >= refusalsHeldMax) return Promise.resolve();
    held += 1;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        response.off('close', end);
        held -= 1;
        resolve();
      };
      const timer = setTimeout(end, holdMs);
      response.once('close', end);
    });
  };
}
