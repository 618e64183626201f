import type { Session } from './session.ts';

/** Who is examined: the platform's receiver, a provider, or a carrier. We play the other side. */
export type Role = 'receiver' | 'provider' | 'carrier';

/** The result of a check. Every reason is a sentence about what was asked and what came. */
export type CheckOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * One check as data. `rows` names the statements of docs/contract-rows.md that it looks at. `run`
 * may throw when the counterpart does not give what the check needs: that is a failure too.
 */
export interface Check {
  readonly id: string;
  readonly rows: readonly string[];
  readonly title: string;
  readonly role: Role;
  readonly run: (session: Session) => Promise<CheckOutcome>;
}

/** What was found wrong: nothing, one sentence, or several. */
export type Finding = string | undefined | readonly string[];

/** Passed when nothing was found, else failed with everything found. */
export function verify(...findings: readonly Finding[]): CheckOutcome {
  const reasons = findings.flatMap((each) => each ?? []);
  return reasons.length === 0 ? { kind: 'passed' } : { kind: 'failed', reasons };
}

/** A check that cannot be made against this counterpart, and what would make it possible. */
export function skipped(reason: string): CheckOutcome {
  return { kind: 'skipped', reason };
}
