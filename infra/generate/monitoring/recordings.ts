import { metric } from './metric.ts';
import { badRatio, budgetLeft, OBJECTIVES, WINDOWS, type Objective } from './objectives.ts';

/** One series that is worked out once and asked for often. */
export type Recording = Readonly<Record<'record' | 'expr', string>>;

/** Rates, and the shares that alarms look at; in this order, since each is made of those before. */
export function recordings(): readonly Recording[] {
  const items = metric('rastro_accepted_items_total', 'operation');
  const lag = metric('rastro_worker_lag_seconds', 'group');
  return [
    ...OBJECTIVES.flatMap(rates),
    ...OBJECTIVES.flatMap((objective) => WINDOWS.slice(0, -1).map((over) => ({
      record: badRatio(objective, over), expr: ratioOver(objective, over),
    }))),
    { record: 'rastro:accepted_items:rate_5m', expr: `sum by (operation) (rate(${items}[5m]))` },
    { record: 'rastro:worker_lag:seconds', expr: `max by (group) (${lag})` },
  ];
}

/** What is left of the month; rarely, since it looks at all of it. */
export function budgetRecordings(): readonly Recording[] {
  return OBJECTIVES.flatMap((objective) => [
    { record: badRatio(objective, '30d'), expr: ratioOver(objective, '30d') },
    {
      record: budgetLeft(objective),
      expr: `1 - ${badRatio(objective, '30d')} / ${objective.budget}`,
    },
  ]);
}

function rates(objective: Objective): readonly Recording[] {
  const rate = (labels: string): string => `sum(rate(${objective.metric}{${labels}}[5m]))`;
  return [
    { record: `rastro:${objective.id}:all_rate_5m`, expr: rate(objective.all) },
    // Without this a platform that never failed would have no share at all.
    {
      record: `rastro:${objective.id}:bad_rate_5m`,
      expr: `${rate(objective.bad)} or rastro:${objective.id}:all_rate_5m * 0`,
    },
  ];
}

/** Sums of recorded rates weigh each minute by its traffic, and cost no look at raw series. */
function ratioOver({ id }: Objective, over: string): string {
  const sum = (kind: string): string => `sum_over_time(rastro:${id}:${kind}_rate_5m[${over}])`;
  return over === '5m'
    ? `rastro:${id}:bad_rate_5m / (rastro:${id}:all_rate_5m > 0)`
    : `${sum('bad')} / (${sum('all')} > 0)`;
}
