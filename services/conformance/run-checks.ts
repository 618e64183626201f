import type { Check, CheckOutcome } from './check.ts';
import type { Session } from './session.ts';

/** A check and its outcome. */
export interface Result {
  readonly check: Check;
  readonly outcome: CheckOutcome;
}

/** Runs the checks one after another, in their order, so that one cannot disturb another. */
export async function runChecks(
  checks: readonly Check[], session: Session,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) results.push({ check, outcome: await outcomeOf(check, session) });
  return results;
}

/** Whatever a counterpart makes a check stumble over is the counterpart's failure. */
async function outcomeOf(check: Check, session: Session): Promise<CheckOutcome> {
  try {
    return await check.run(session);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', reasons: [{ text }] };
  }
}
