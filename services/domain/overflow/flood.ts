import { happened, unchanged, type Decision } from '../../kernel/decider.ts';
import type { Overflow, OverflowRecorded, ProviderDecisions } from '../../kernel/overflow.ts';
import { holdingDecision, isMoved } from './provider-overflow.ts';

/** When a provider floods, and for how long it is moved. */
export interface FloodLimits {
  /** The writer is late when a record waited for so long. */
  readonly lateMsMin: number;
  /** The part of all fixes, from 0.5 to 1, that one provider must have. */
  readonly ratioMin: number;
  /** Fewer fixes of it in a window are no flood. */
  readonly fixesMin: number;
  /** How long a decision holds. */
  readonly holdMs: number;
  /** A decision is renewed when it ends within this time. */
  readonly renewMs: number;
  /** The flood lasts with this part of the fixes per second that it had when it was moved. */
  readonly lastingRatio: number;
}

/** What one table writer handled in a window. */
export interface FloodWindow {
  /** Fixes of each provider. */
  readonly fixes: ReadonlyMap<string, number>;
  /** Whether records of other providers than this one came lately. */
  readonly hasOthers: (provider: string) => boolean;
  /** The longest time that a record waited while this writer was at work. */
  readonly lateMs: number;
  readonly seconds: number;
  /** The partitions that it had. */
  readonly partitions: number;
}

/**
 * Whether the provider with most fixes is moved into overflow, or stays there for longer. A
 * decision of an operator that holds is never changed. Others are at most as much as one provider
 * that has half of all fixes, so none is blamed for the flood of another.
 */
export function decideFlood(
  limits: FloodLimits, window: FloodWindow, { providers }: Pick<Overflow, 'providers'>,
  nowMs: number,
): Decision<OverflowRecorded> {
  const all = [...window.fixes.values()].reduce((sum, fixes) => sum + fixes, 0);
  const [provider, fixes] = [...window.fixes].reduce(
    (most, each) => (isMore(each, most) ? each : most), ['', 0],
  );
  if (fixes < Math.max(limits.fixesMin, 1) || fixes < all * limits.ratioMin) return unchanged;
  const rate = fixes / Math.max(window.seconds, 1e-3) / Math.max(window.partitions, 1);
  const known = providers.get(provider) ?? {};
  const holding = holdingDecision(known, nowMs);
  if (holding !== undefined && holding.by !== 'writer') return unchanged;
  if (isMoved(known, nowMs)) {
    return isLasting(limits, known, rate, nowMs)
      ? happened(moved(limits, provider, known, nowMs, known.writer?.fixes_per_second ?? rate))
      : unchanged;
  }
  if (window.lateMs < limits.lateMsMin || !window.hasOthers(provider)) return unchanged;
  return happened(moved(limits, provider, known, nowMs, rate));
}

/** The name decides between equals, so that all writers take the same one. */
function isMore(one: readonly [string, number], other: readonly [string, number]): boolean {
  return one[1] > other[1] || (one[1] === other[1] && one[0] < other[0]);
}

function isLasting(
  { renewMs, lastingRatio }: FloodLimits, { writer }: ProviderDecisions,
  rate: number, nowMs: number,
): boolean {
  const leftMs = (writer?.ends_at_ms ?? nowMs) - nowMs;
  return leftMs <= renewMs && rate >= (writer?.fixes_per_second ?? 0) * lastingRatio;
}

function moved(
  { holdMs }: FloodLimits, provider: string, { writer }: ProviderDecisions, nowMs: number,
  fixesPerSecond: number,
): OverflowRecorded {
  return {
    type: 'OverflowRecorded', provider, by: 'writer', state: 'in',
    reason: 'floods: others waited for its fixes',
    version: (writer?.version ?? 0) + 1, at_ms: nowMs, ends_at_ms: nowMs + holdMs,
    fixes_per_second: Math.round(fixesPerSecond * 10) / 10,
  };
}
