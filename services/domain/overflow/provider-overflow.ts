import type { OverflowRecorded, ProviderDecisions } from '../../kernel/overflow.ts';

/**
 * The decision about a provider that counts at a time: that of an operator while it holds, else
 * that of a writer while that holds.
 */
export function holdingDecision(
  { operator, writer }: ProviderDecisions, nowMs: number,
): OverflowRecorded | undefined {
  return [operator, writer].find((decision) => decision !== undefined && holds(decision, nowMs));
}

/** Whether the locations of a provider go to the overflow topic at a time. */
export function isMoved(decisions: ProviderDecisions, nowMs: number): boolean {
  return holdingDecision(decisions, nowMs)?.state === 'in';
}

/** A decision without an end holds until the next one. */
function holds({ ends_at_ms: endsMs }: OverflowRecorded, nowMs: number): boolean {
  return endsMs === undefined || nowMs < endsMs;
}
