import type { Objection } from './check.ts';
import type { Result } from './run-checks.ts';

/** What a counterpart is held to: every `must` (the contract alone), or every `should` too. */
export type Profile = 'interface' | 'rastro';

/** The profiles, the one that decides by default first. */
export const PROFILES: readonly Profile[] = ['interface', 'rastro'];

/** What a verdict is made of. */
export type CheckedOutcome = Pick<Result, 'check' | 'outcome'>;

/** How a check ends under a profile; advice is what only a wider profile would count. */
export interface CheckVerdict {
  readonly kind: 'passed' | 'failed' | 'skipped' | 'advice';
  readonly failures: readonly Objection[];
  readonly advice: readonly Objection[];
}

/** How many checks ended in each way. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly advised: number;
}

/**
 * What a profile makes of a result. Under `interface` only what the contract asks for can fail;
 * under `rastro` everything can.
 */
export function verdictOf({ check, outcome }: CheckedOutcome, profile: Profile): CheckVerdict {
  if (outcome.kind !== 'failed') return { kind: outcome.kind, failures: [], advice: [] };
  const reasons = outcome.reasons.map(({ text, remark }) => {
    const whole = check.level === 'should' ? check.remark : remark;
    return whole === undefined ? { text } : { text, remark: remark ?? whole };
  });
  const isOurs = ({ remark }: Objection): boolean => remark !== undefined;
  const advice = profile === 'rastro' ? [] : reasons.filter(isOurs);
  const failures = reasons.filter((reason) => !advice.includes(reason));
  return { kind: failures.length === 0 ? 'advice' : 'failed', failures, advice };
}

/** Counts the results under a profile. */
export function countsOf(results: readonly CheckedOutcome[], profile: Profile): Counts {
  const kinds = results.map((result) => verdictOf(result, profile).kind);
  const count = (kind: CheckVerdict['kind']): number => kinds.filter((each) => each === kind).length;
  return {
    passed: count('passed'), failed: count('failed'), skipped: count('skipped'),
    advised: count('advice'),
  };
}
