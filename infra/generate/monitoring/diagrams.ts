import type { EmittedMetric } from '../../../services/kernel/signals.ts';
import type { LabelOf } from '../../../services/kernel/signals/metrics.ts';
import { metric, quantile } from './metric.ts';
import { badRatio, budgetLeft, OBJECTIVES } from './objectives.ts';

/** One diagram: what it shows, in which unit, and its queries with the name of their lines. */
export interface Diagram {
  readonly title: string;
  readonly unit: 's' | 'short' | 'bytes' | 'percentunit' | 'reqps' | 'cps';
  readonly queries: Readonly<Record<string, string>>;
}

type Labels<Name extends EmittedMetric> = readonly NoInfer<LabelOf<Name>>[];

const OVER = '$__rate_interval';

const rateBy = <Name extends EmittedMetric>(name: Name, ...labels: Labels<Name>): string =>
  `sum by (${labels.join(', ')}) (rate(${metric(name, ...labels)}[${OVER}]))`;
const perGroup = (labels: readonly string[]): string =>
  labels.map((label) => `{{${label}}}`).join(' ');

/** How often something happens, by labels. */
export const rates = <Name extends EmittedMetric>(
  title: string, name: Name, ...labels: Labels<Name>
): Diagram =>
  ({ title, unit: 'cps', queries: { [perGroup(labels)]: rateBy(name, ...labels) } });

/** The usual and the large values of a histogram, by labels. */
export const sizes = <Name extends EmittedMetric>(
  title: string, unit: Diagram['unit'], name: Name, ...labels: Labels<Name>
): Diagram => ({
  title, unit,
  queries: {
    [`p50 ${perGroup(labels)}`.trim()]: quantile(0.5, name, OVER, ...labels),
    [`p99 ${perGroup(labels)}`.trim()]: quantile(0.99, name, OVER, ...labels),
  },
});

/** The usual and the long durations of a histogram, by labels. */
export const times = <Name extends EmittedMetric>(
  title: string, name: Name, ...labels: Labels<Name>
): Diagram =>
  sizes(title, 's', name, ...labels);

/** A gauge by process. */
export const level = (title: string, unit: Diagram['unit'], name: EmittedMetric): Diagram =>
  ({ title, unit, queries: { '{{job}}': `max by (job) (${metric(name)})` } });

/** The highest of a gauge over processes, by labels. */
export const worst = <Name extends EmittedMetric>(
  title: string, unit: Diagram['unit'], name: Name, ...labels: Labels<Name>
): Diagram => {
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
  const legend = labels.length === 0 ? title : perGroup(labels);
  return { title, unit, queries: { [legend]: `max${by} (${metric(name, ...labels)})` } };
};

/** Of Node itself: what keeps a process from looking at anything. */
export const eventLoop: Diagram = {
  title: 'Delay of the event loop', unit: 's',
  queries: { 'p99 {{job}}': 'max by (job) (nodejs_eventloop_lag_p99_seconds)' },
};

/** What is left of each objective's month. */
export const budgets: Diagram = {
  title: 'Budget of the month that is left', unit: 'percentunit',
  queries: Object.fromEntries(OBJECTIVES.map((each) => [each.title, budgetLeft(each)])),
};

/** How fast the budget goes: 1 uses it up in just thirty days. */
export const burnRates = OBJECTIVES.map((each): Diagram => ({
  title: `${each.title}: times the rate that uses the budget up`, unit: 'short',
  queries: Object.fromEntries((['5m', '1h', '6h', '3d'] as const).map((over) => [
    over, `${badRatio(each, over)} / ${each.budget}`,
  ])),
}));
