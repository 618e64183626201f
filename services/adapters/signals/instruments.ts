import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SignalFields } from '../../kernel/signals.ts';
import { METRICS, type MetricRow } from './metrics.ts';

/** The declared metrics of a process, by the words with which rooms report. */
export interface Instruments {
  /** Takes one report; false when no such metric is declared with these labels. */
  report(kind: MetricRow['kind'], metric: string, value: number, labels?: SignalFields): boolean;
  /** Tells the library what was reported since; to be called before it is read. */
  settle(): void;
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

type Label = SignalFields[string];

interface Child {
  take(value: number): void;
  settle(): void;
}

const PREFIX = 'rastro_';
const NO_LABELS: SignalFields = {};

/**
 * Makes every metric of the table. Reports are many and scrapes are few: a report finds its child
 * by one look and adds to a number there, and the library hears of it when somebody reads.
 */
export function createInstruments(registry: Registry): Instruments {
  const instruments = new Map<string, Instrument>();
  for (const [name, row] of Object.entries(METRICS)) {
    const instrument = { row, open: opener(registry, name, row), root: branch() };
    instruments.set(name, instrument).set(name.slice(PREFIX.length), instrument);
  }

  return {
    report(kind, metric, value, labels = NO_LABELS) {
      const instrument = instruments.get(metric);
      if (instrument?.row.kind !== kind) return false;
      const { row, root } = instrument;
      let place = root;
      let unknown = 0;
      for (const _ in labels) unknown += 1;
      for (const name of row.labels) {
        const label = labels[name];
        if (label !== undefined || name in labels) unknown -= 1;
        place = below(place, label);
      }
      if (unknown > 0) return false;
      (place.child ??= instrument.open(textsOf(labels))).take(value);
      return true;
    },
    settle() {
      for (const { root } of new Set(instruments.values())) settleAll(root);
    },
  };
}

function branch(): Branch {
  return { next: new Map() };
}

function below(place: Branch, label: Label): Branch {
  let next = place.next.get(label);
  if (next === undefined) {
    next = branch();
    place.next.set(label, next);
  }
  return next;
}

function settleAll({ child, next }: Branch): void {
  child?.settle();
  for (const place of next.values()) settleAll(place);
}

function textsOf(labels: SignalFields): Record<string, string | number> {
  const written: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (value !== undefined) written[name] = typeof value === 'number' ? value : String(value);
  }
  return written;
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
        return { take: (seconds) => child.observe(seconds), settle: () => undefined };
      };
    }
  }
}

/** A number that reports change, and that `tell` hands on; it returns what is kept after that. */
function kept(
  first: number, changed: (now: number, value: number) => number, tell: (now: number) => number,
): Child {
  let now = first;
  return {
    take: (value) => { now = changed(now, value); },
    settle: () => { now = tell(now); },
  };
}
