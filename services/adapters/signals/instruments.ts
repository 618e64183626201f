import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AnyFacts } from '../../kernel/signals.ts';
import type { NumberFact } from '../../kernel/signals/facts.ts';
import { METRICS, type MetricName, type MetricRow } from '../../kernel/signals/metrics.ts';

/** The metrics of a process. */
export interface Instruments {
  /** Makes what reports one metric of a signal; `value` is the fact that is reported, or 1. */
  readonly reporter: (metric: MetricName, value: 1 | NumberFact) => (facts: AnyFacts) => void;
  /** Hands to the library what was reported since; to be called before it is read. */
  readonly flush: () => void;
}

interface Instrument {
  readonly row: MetricRow;
  /** Makes what takes the reports of one set of labels. */
  readonly open: (labels: Record<string, string | number>) => Child;
  readonly root: Branch;
}

/** A level of the tree of a metric's children: one label, and below it the next one. */
interface Branch {
  child?: Child;
  readonly next: Map<Label, Branch>;
}

type Label = AnyFacts[keyof AnyFacts];

interface Child {
  take(value: number): void;
  flush(): void;
}

/**
 * Makes every metric of the table. Reports are many and scrapes are few: a report finds its child
 * by its labels and adds to a number there, and the library gets the sum before a scrape.
 */
export function createInstruments(registry: Registry): Instruments {
  const instruments = new Map<MetricName, Instrument>();
  for (const [name, row] of Object.entries(METRICS) as [MetricName, MetricRow][]) {
    instruments.set(name, { row, open: opener(registry, name, row), root: branch() });
  }

  return {
    reporter(metric, value) {
      const instrument = instruments.get(metric);
      if (instrument === undefined) throw new RangeError(`${metric} is not in the table`);
      const { row: { labels }, root, open } = instrument;
      return (facts) => {
        let node = root;
        for (const label of labels) node = below(node, facts[label]);
        node.child ??= open(textsOf(labels, facts));
        node.child.take(value === 1 ? 1 : Number(facts[value]));
      };
    },
    flush() {
      for (const { root } of instruments.values()) flushAll(root);
    },
  };
}

function branch(): Branch {
  return { next: new Map() };
}

function below(node: Branch, label: Label): Branch {
  let next = node.next.get(label);
  if (next === undefined) {
    next = branch();
    node.next.set(label, next);
  }
  return next;
}

function flushAll({ child, next }: Branch): void {
  child?.flush();
  for (const node of next.values()) flushAll(node);
}

function textsOf(labels: MetricRow['labels'], facts: AnyFacts): Record<string, string> {
  return Object.fromEntries(labels.map((label) => [label, String(facts[label])]));
}

function opener(registry: Registry, name: string, row: MetricRow): Instrument['open'] {
  const shared = { name, help: row.help, labelNames: [...row.labels], registers: [registry] };
  switch (row.kind) {
    case 'counter': {
      const counter = new Counter(shared);
      return (labels) => kept(0, (sum, value) => sum + value, (sum) => {
        counter.inc(labels, sum);
        return 0;
      });
    }
    case 'gauge': {
      const gauge = new Gauge(shared);
      return (labels) => kept(0, (_, value) => value, (last) => {
        gauge.set(labels, last);
        return last;
      });
    }
    case 'histogram': {
      const histogram = new Histogram({ ...shared, buckets: [...row.buckets ?? []] });
      return (labels) => {
        const child = histogram.labels(labels);
        return { take: (value) => { child.observe(value); }, flush: () => undefined };
      };
    }
  }
}

/** A number that reports change, and that `hand` hands on; it returns what is kept after that. */
function kept(
  first: number, changed: (now: number, value: number) => number, hand: (now: number) => number,
): Child {
  let now = first;
  return {
    take: (value) => { now = changed(now, value); },
    flush: () => { now = hand(now); },
  };
}
