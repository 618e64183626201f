import type { EmittedMetric } from '../../../services/kernel/signals.ts';
import type { LabelOf } from '../../../services/kernel/signals/metrics.ts';

/**
 * The name of a metric, of which the named labels are used. A name or a label that no process has
 * does not compile, so that a metric that is renamed fails in CI instead of at night.
 */
export function metric<Name extends EmittedMetric>(
  name: Name, ..._labels: readonly NoInfer<LabelOf<Name>>[]
): Name {
  return name;
}

/**
 * How often something happened within a time, by labels that it has. A series begins with its first
 * event, which no increase shows: one that was not there before counts whole. After Prometheus was
 * away for that time, all that happened since its processes started counts once.
 */
export function happened<Name extends EmittedMetric>(
  name: Name, over: string, { by = [], match = '' }: {
    readonly by?: readonly NoInfer<LabelOf<Name>>[]; readonly match?: string;
  } = {},
): string {
  const series = `${metric(name, ...by)}${match}`;
  const sum = by.length === 0 ? 'sum' : `sum by (${by.join(', ')})`;
  return `${sum} ((${series} unless ${series} offset ${over}) or increase(${series}[${over}]))`;
}

/** A quantile of a histogram over a time, by labels that it has. */
export function quantile<Name extends EmittedMetric>(
  fraction: number, name: Name, over: string, ...labels: readonly NoInfer<LabelOf<Name>>[]
): string {
  const by = ['le', ...labels].join(', ');
  const buckets = `rate(${metric(name, ...labels)}_bucket[${over}])`;
  return `histogram_quantile(${fraction}, sum by (${by}) (${buckets}))`;
}
