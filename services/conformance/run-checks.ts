import type { Check, CheckOutcome } from './check.ts';
import { OutOfTime } from './patience.ts';
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
 * time is over, the rest is skipped.
 */
export async function runChecks(
  checks: readonly Check[], session: Session,
): Promise<Examination> {
  const results: Result[] = [];
  let stopped: string | undefined;
  for (const check of checks) {
    const startedMs = session.nowMs();
    const outcome = stopped === undefined ? await outcomeOf(check, session) : NOT_MADE;
    if (outcome instanceof OutOfTime) stopped = outcome.message;
    results.push({
      check, outcome: outcome instanceof OutOfTime ? NOT_MADE : outcome,
      tookMs: session.nowMs() - startedMs,
    });
  }
  return { results, stopped };
}

const NOT_MADE: CheckOutcome = { kind: 'skipped', reason: 'not examined: the time was over' };

/** Whatever a counterpart makes a check stumble over is the counterpart's failure. */
async function outcomeOf(check: Check, session: Session): Promise<CheckOutcome | OutOfTime> {
  try {
    return await check.run(session);
  } catch (error) {
    if (error instanceof OutOfTime) return error;
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', reasons: [{ text }] };
  }
}
