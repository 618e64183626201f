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

/** A quantile of a histogram over a time, by labels that it has. */
export function quantile<Name extends EmittedMetric>(
  fraction: number, name: Name, over: string, ...labels: readonly NoInfer<LabelOf<Name>>[]
): string {
  const by = ['le', ...labels].join(', ');
  const buckets = `rate(${metric(name, ...labels)}_bucket[${over}])`;
  return `histogram_quantile(${fraction}, sum by (${by}) (${buckets}))`;
}
