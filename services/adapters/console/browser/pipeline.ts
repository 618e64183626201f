import type { PipelineResource } from '../../../../schemas/generated/types.ts';

type Row = PipelineResource['minutes'][number];

/** Outcomes of items, in the order in which they are shown; together they are what was accepted. */
export const OUTCOMES = [
  'stored', 'outlier', 'out_of_order', 'ignored_after_final', 'disputed', 'dead_lettered', 'waiting',
] as const;

/** The name of an outcome. */
export type OutcomeName = (typeof OUTCOMES)[number];

/** Calls and items of several rows together. */
export type Sums = Pick<Row, 'calls' | 'accepted' | OutcomeName>;

/** What was accepted in one minute, of all kinds. */
export interface MinuteSums extends Sums {
  readonly minute: string;
}

/** One kind of items: in the last minute, and in all that are shown. */
export interface KindSums {
  readonly kind: string;
  readonly last: Sums;
  readonly all: Sums;
}

/** One part of the bar of a minute, on a sheet of {@link BARS}. */
export interface BarPart {
  readonly outcome: OutcomeName;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** The sheet that bars are drawn on: so wide is a minute with its space, and so high the most. */
export const BARS = { minutes: 15, step: 10, width: 8, height: 60 };

const MINUTE_MS = 60_000;

/** What the pipeline says of minutes. */
type Minutes = Pick<PipelineResource, 'at' | 'minutes_until' | 'minutes'>;

/** The minutes that were asked for, in their order: also those in which nothing was accepted. */
export function minutesOf(
  { at, minutes_until: until = at, minutes }: Minutes,
): readonly MinuteSums[] {
  const endMs = Date.parse(until);
  const byMinute = Map.groupBy(minutes, ({ minute }) => Date.parse(minute));
  return Array.from({ length: BARS.minutes }, (_, index) => {
    const ms = endMs - (BARS.minutes - index) * MINUTE_MS;
    return { minute: new Date(ms).toISOString(), ...sumsOf(byMinute.get(ms) ?? []) };
  });
}

/** The same by kind, the one with most items first. */
export function kindsOf(resource: Minutes): readonly KindSums[] {
  const last = Date.parse(minutesOf(resource).at(-1)?.minute ?? '');
  return [...Map.groupBy(resource.minutes, ({ kind }) => kind)].map(([kind, own]) => ({
    kind, all: sumsOf(own),
    last: sumsOf(own.filter(({ minute }) => Date.parse(minute) === last)),
  })).toSorted((one, other) => other.all.accepted - one.all.accepted);
}

/** Sums of any rows; of none all are 0. */
export function sumsOf(rows: readonly Sums[]): Sums {
  const sum = (name: keyof Sums): number => rows.reduce((total, row) => total + row[name], 0);
  return {
    calls: sum('calls'), accepted: sum('accepted'), stored: sum('stored'), outlier: sum('outlier'),
    out_of_order: sum('out_of_order'), ignored_after_final: sum('ignored_after_final'),
    disputed: sum('disputed'), dead_lettered: sum('dead_lettered'), waiting: sum('waiting'),
  };
}

/** A bar for each minute, from the bottom up; the highest is as high as the sheet. */
export function barsOf(minutes: readonly MinuteSums[]): readonly BarPart[] {
  const most = Math.max(1, ...minutes.map(({ accepted }) => accepted));
  return minutes.flatMap((minute, index) => {
    let y = BARS.height;
    return OUTCOMES.flatMap((outcome) => {
      const height = (Math.max(0, minute[outcome]) / most) * BARS.height;
      y -= height;
      return height === 0 ? [] : [{ outcome, x: index * BARS.step, y, height }];
    });
  });
}
