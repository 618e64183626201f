import type { InvariantName, InvariantVerdict, Violation, ViolationKind } from './report.ts';

/** Collects what an invariant finds. */
export interface Findings {
  /** Counts something that was looked at. */
  readonly examine: (count?: number) => void;
  readonly blame: (kind: ViolationKind, explanation: string) => void;
  readonly verdict: () => InvariantVerdict;
}

/** Starts the findings of one invariant. */
export function openFindings(invariant: InvariantName): Findings {
  const violations: Violation[] = [];
  let examined = 0;
  return {
    examine: (count = 1) => { examined += count; },
    blame: (kind, explanation) => { violations.push({ invariant, kind, explanation }); },
    verdict: () => ({ invariant, examined, violations }),
  };
}
