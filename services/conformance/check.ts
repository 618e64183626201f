import type { Session } from './session.ts';

/** Who is examined: the platform's receiver, a provider, or a carrier. We play the other side. */
export type Role = 'receiver' | 'provider' | 'carrier';

/** What a check rests on: the contract, or a choice of ours where the contract is silent. */
export type Level = 'must' | 'should';

/** One thing that was found. With a remark it is a `should`. */
export interface Objection {
  /** A sentence about what was asked and what came. */
  readonly text: string;
  /** What to change, where the interface leaves the choice. */
  readonly remark?: string;
}

/** The result of a check. */
export type CheckOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly reasons: readonly Objection[] }
  | { readonly kind: 'skipped'; readonly reason: string };

/** The level of a check as a whole; a `should` has a remark that says what to change. */
type Leveled =
  | { readonly level: 'must' }
  | { readonly level: 'should'; readonly remark: string };

/**
 * One check as data. `rows` names the statements of docs/contract-rows.md that it looks at. `run`
 * may throw when the counterpart does not give what the check needs: that is a failure too.
 */
export type Check = Leveled & {
  readonly id: string;
  readonly rows: readonly string[];
  readonly title: string;
  readonly role: Role;
  readonly run: (session: Session) => Promise<CheckOutcome>;
};

/** What was found wrong: nothing, one thing, or several. */
export type Finding = string | Objection | undefined | readonly (string | Objection | undefined)[];

/** Passed when nothing was found, else failed with everything found. */
export function verify(...findings: readonly Finding[]): CheckOutcome {
  const reasons = reasonsOf(findings);
  return reasons.length === 0 ? { kind: 'passed' } : { kind: 'failed', reasons };
}

/** Findings of level `should` inside a check of level `must`. */
export function ours(remark: string, ...findings: readonly Finding[]): readonly Objection[] {
  return reasonsOf(findings).map(({ text }) => ({ text, remark }));
}

/** A check that cannot be made against this counterpart, and what would make it possible. */
export function skipped(reason: string): CheckOutcome {
  return { kind: 'skipped', reason };
}

function reasonsOf(findings: readonly Finding[]): readonly Objection[] {
  return findings.flat().flatMap((each) =>
    each === undefined ? [] : [typeof each === 'string' ? { text: each } : each]);
}
