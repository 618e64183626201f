import type { Session } from './session.ts';

/** Who is examined: the platform's receiver, a provider, or a carrier. We play the other side. */
export type Role = 'receiver' | 'provider' | 'carrier';

/** One thing that was found. With a remark only our own profile asks for it. */
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

/** Who asks for a check as a whole: the interface, or our own profile with a remark. */
type AskedBy =
  | { readonly profile: 'interface' }
  | { readonly profile: 'rastro'; readonly remark: string };

/**
 * One check as data. `rows` names the statements of docs/contract-rows.md that it looks at. `run`
 * may throw when the counterpart does not give what the check needs: that is a failure too.
 */
export type Check = AskedBy & {
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

/** Findings inside a check of the interface that only our own profile asks for. */
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
