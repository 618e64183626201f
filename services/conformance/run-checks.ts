import { skipped, type Check, type CheckOutcome } from './check.ts';
import { CannotAsk, RunStopped } from './run-ends.ts';
import type { Session } from './session.ts';

/** A check and its outcome. */
export interface Result {
  readonly check: Check;
  readonly outcome: CheckOutcome;
  readonly tookMs: number;
}

/** The results of all checks; `stopped` says why the last of them were not made. */
export interface Examination {
  readonly results: readonly Result[];
  readonly stopped?: string | undefined;
}

/**
 * Runs the checks one after another, in their order, so that one cannot disturb another. Where the
 * run is stopped, as when the time is over, the rest is skipped. `onResult` gets each check as it
 * is made.
 */
export async function runChecks(
  checks: readonly Check[], session: Session, onResult?: (result: Result) => Promise<void>,
): Promise<Examination> {
  const results: Result[] = [];
  let stopped: string | undefined;
  for (const check of checks) {
    const startedMs = session.nowMs();
    const outcome = stopped === undefined ? await outcomeOf(check, session) : NOT_MADE;
    if (outcome instanceof RunStopped) stopped = outcome.message;
    const result = {
      check, outcome: outcome instanceof RunStopped ? NOT_MADE : outcome,
      tookMs: session.nowMs() - startedMs,
    };
    results.push(result);
    await onResult?.(result);
  }
  return { results, stopped };
}

const NOT_MADE: CheckOutcome = { kind: 'skipped', reason: 'not examined: the run was stopped' };

/** Whatever a counterpart makes a check stumble over is the counterpart's failure. */
async function outcomeOf(check: Check, session: Session): Promise<CheckOutcome | RunStopped> {
  try {
    return await check.run(session);
  } catch (error) {
    if (error instanceof RunStopped) return error;
    const text = error instanceof Error ? error.message : String(error);
    return error instanceof CannotAsk ? skipped(text) : { kind: 'failed', reasons: [{ text }] };
  }
}
