import { METRICS } from '../../../services/adapters/signals/metrics.ts';

/**
 * The name of a metric, of which the named labels are used: throws for a name or a label that no
 * process has, so that a metric that is renamed breaks the build and not a night.
 */
export function metric(name: string, ...labels: readonly string[]): string {
  const row = METRICS[name];
  if (row === undefined) throw new Error(`No metric ${name}: see signals/metrics.ts.`);
  const strange = labels.filter((label) => !row.labels.includes(label));
  if (strange.length > 0) throw new Error(`${name} has no label ${strange.join(', ')}.`);
  return name;
}

/** A quantile of a histogram over a time, by labels that it has. */
export function quantile(
  share: number, name: string, over: string, ...labels: readonly string[]
): string {
  const by = ['le', ...labels].join(', ');
  const buckets = `rate(${metric(name, ...labels)}_bucket[${over}])`;
  return `histogram_quantile(${share}, sum by (${by}) (${buckets}))`;
}
