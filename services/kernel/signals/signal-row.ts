import type { FactName, NumberFact, SignalLevel } from './facts.ts';
import type { MetricName } from './metrics.ts';

/** What one signal does: at most one log line, and its metrics. */
export interface SignalRow {
  /** Severity of the line; `given` when the caller says it. Absent: the signal writes no line. */
  readonly level?: SignalLevel | 'given';
  /** Name of the line: the name of the signal in snake_case, in full for a search. */
  readonly event?: string;
  /** SignalFacts that the line carries. */
  readonly fields?: readonly FactName[];
  /** Metrics it reports, each with the fact that is its value; 1 counts the signal itself. */
  readonly metrics?: Readonly<Partial<Record<MetricName, 1 | NumberFact>>>;
}

/** A part of the table of signals. */
export type SignalTable = Readonly<Record<string, SignalRow>>;
