import { makeSignals, type AnyFacts, type Signals } from '../../services/kernel/signals.ts';
import type { NumberFact, SignalLevel } from '../../services/kernel/signals/facts.ts';
import { METRICS, type MetricName, type MetricRow } from '../../services/kernel/signals/metrics.ts';

/** What a test hears of signals, as an operator would see it. */
export interface SignalListener {
  /** One report of a metric: labels in the order of the table. */
  readonly metric?: (
    name: MetricName, value: number, labels: AnyFacts, kind: MetricRow['kind'],
  ) => void;
  readonly line?: (level: SignalLevel, event: string, fields: AnyFacts) => void;
}

/** Signals of the whole table that a test listens to; the only fake of them that there is. */
export function fakeSignals({ metric, line }: SignalListener): Signals {
  return makeSignals(({ level, event, fields = [], metrics = {} }) => (facts) => {
    for (const [name, value] of Object.entries(metrics) as [MetricName, 1 | NumberFact][]) {
      const { labels, kind }: MetricRow = METRICS[name];
      metric?.(name, value === 1 ? 1 : Number(facts[value]), picked(facts, labels), kind);
    }
    if (level === undefined || event === undefined) return;
    const grade = level === 'given' ? facts['level'] as SignalLevel : level;
    line?.(grade, event, picked(facts, fields));
  });
}

function picked(facts: AnyFacts, names: readonly (keyof AnyFacts)[]): AnyFacts {
  return Object.fromEntries(names.map((name) => [name, facts[name]]));
}
