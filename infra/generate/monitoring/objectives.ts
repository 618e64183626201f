import { FRESH_SECONDS, type StoreName } from '../../../services/kernel/objectives.ts';
import type { EmittedMetric } from '../../../services/kernel/signals.ts';
import { metric } from './metric.ts';

/** The times over which a share of bad events is taken; all are made of 5 minutes. */
export const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d', '30d'] as const;

/** One of these times. */
export type Window = (typeof WINDOWS)[number];

/** What is promised over thirty days: at most this share of events is bad. */
export interface Objective {
  /** Part of the names of its recorded series. */
  readonly id: 'calls' | 'state' | 'tables';
  readonly title: string;
  /** Share of events that may be bad. */
  readonly budget: number;
  /** Subject of its alarms' names. */
  readonly subject: string;
  /** What goes wrong, as the first half of a sentence. */
  readonly wrong: string;
  readonly metric: EmittedMetric;
  /** Labels that a bad event has, as a selector. */
  readonly bad: string;
  /** Labels that every event of it has. */
  readonly all: string;
}

/** Everything that is promised as a share; see docs/reference/objectives.md. */
export const OBJECTIVES: readonly Objective[] = [
  {
    id: 'calls', title: 'Calls answered', budget: 0.001, subject: 'CallErrors',
    wrong: 'So many calls fail', metric: metric('rastro_http_requests_total', 'status'),
    bad: 'status=~"5.."', all: '',
  },
  fresh('state', 'Live state is fresh', 'StateFreshness', 'So many records come late into Redis'),
  fresh('tables', 'Tables are fresh', 'TableFreshness', 'So many records come late into ClickHouse'),
];

function fresh(
  store: StoreName, title: string, subject: string, wrong: string,
): Objective {
  const all = `store="${store}"`;
  return {
    id: store, title: `${title}: ${FRESH_SECONDS[store]} s`, budget: 0.01, subject, wrong,
    metric: metric('rastro_stored_records_total', 'store', 'timeliness'),
    bad: `${all},timeliness="late"`, all,
  };
}

/** The recorded share of bad events of an objective over a time. */
export function badRatio({ id }: Objective, over: Window): string {
  return `rastro:${id}:bad_ratio_${over}`;
}

/** The recorded part of the month's budget that is left: 1 is all, below 0 it is overspent. */
export function budgetLeft({ id }: Objective): string {
  return `rastro:${id}:budget_left`;
}

/** A series of the metric with these labels, as promtool takes it. */
export function seriesOf(objective: Objective, kind: 'good' | 'bad'): string {
  const labels = {
    calls: { good: 'status="202"', bad: 'status="500"' },
    state: { good: 'store="state",timeliness="fresh"', bad: objective.bad },
    tables: { good: 'store="tables",timeliness="fresh"', bad: objective.bad },
  }[objective.id];
  return `${objective.metric}{${labels[kind]}}`;
}
