import type { Metric, Registry } from 'prom-client';

/** What a histogram is called, what it means, and the upper bounds of its buckets, rising. */
export interface SpreadSpec {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly bounds: readonly number[];
}

type Labels = Readonly<Record<string, string | number>>;

interface Line {
  readonly metricName: string;
  readonly labels: Labels;
  readonly sharedLabels: Labels;
  readonly value: number;
}

/**
 * A histogram that the library writes down but does not count: it would check and hash the labels
 * with every value. Returns what makes the counting of one set of labels; one without labels counts
 * from the beginning, as the library has it.
 */
export function createSpread(
  registry: Registry, { name, help, labelNames, bounds }: SpreadSpec,
): (labels: Labels) => (value: number) => void {
  const tellers: (() => readonly Line[])[] = [];

  function open(sharedLabels: Labels): (value: number) => void {
    const counts = new Array<number>(bounds.length + 1).fill(0);
    let sum = 0;
    let count = 0;
    const line = (end: string, value: number, labels: Labels = {}): Line => (
      { metricName: `${name}_${end}`, labels, sharedLabels, value }
    );
    tellers.push(() => {
      let below = 0;
      const buckets = bounds.map((le, at) => {
        below += counts[at] ?? 0;
        return line('bucket', below, { le });
      });
      return [
        ...buckets, line('bucket', count, { le: '+Inf' }), line('sum', sum), line('count', count),
      ];
    });
    return (value) => {
      if (!Number.isFinite(value)) throw new RangeError(`${name} cannot count ${value}.`);
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
      count += 1;
    };
  }

  const nothing = labelNames.length === 0 ? open({}) : undefined;
  // Of a metric the library only asks for these; its types know no others than its own classes.
  registry.registerMetric({
    name, help, type: 'histogram', aggregator: 'sum',
    get: async () => ({
      name, help, type: 'histogram', aggregator: 'sum', values: tellers.flatMap((tell) => tell()),
    }),
  } as unknown as Metric);
  return (labels) => nothing ?? open(labels);
}
