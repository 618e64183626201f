import { extentOf, metersBetween, type Place } from './geometry.ts';
import { legsOf, type NaiveLeg } from './legs.ts';
import { pointsOf, reportedOf, type NaiveFix } from './points.ts';

export { metersBetween } from './geometry.ts';
export type { NaiveFix } from './points.ts';

/** A trip as v_trips shows it; distance in meters. */
export interface NaiveTrip {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly distance: number;
  readonly driving_s: number;
  readonly continues: boolean;
}

/** A stop as v_stops shows it. */
export interface NaiveStop {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly dwell_s: number;
  readonly silent_s: number;
  readonly continues: boolean;
  readonly is_open: boolean;
}

/** A day as v_device_days shows it; distance in meters. */
export interface NaiveDay {
  readonly day: number;
  fixes: number;
  distance: number;
  driving_s: number;
  standing_s: number;
  gaps: number;
  gap_s: number;
  jumps: number;
  readonly reported: number[];
  readonly odometers: number[];
  readonly trips: NaiveTrip[];
  readonly stops: NaiveStop[];
}

type Doing = 'way' | 'rest' | 'lost';
interface Part { readonly doing: Doing; readonly legs: readonly NaiveLeg[] }

const DAY = 86_400;
const YARD_M = 200;
const STOP_S = 300;
const LOOK_BACK_S = 43_200;
const LOOK_AHEAD_S = 3_600;

/**
 * Days, trips and stops of one device by one walk over all its fixes, written without a look at the
 * SQL: what the views of infra/clickhouse must come to, whatever came when. A day knows of the
 * twelve hours before it and of the hour after.
 */
export function naiveDays(sent: readonly NaiveFix[]): readonly NaiveDay[] {
  const days = new Map<number, NaiveDay>();
  const legs = legsOf(countFixes(days, sent));
  for (const day of days.values()) {
    const from = day.day * DAY - LOOK_BACK_S;
    const until = (day.day + 1) * DAY + LOOK_AHEAD_S;
    const near = legs.filter(({ to }) => to >= from && to < until);
    addLegs(day, near[0]?.kind === 'gap' ? near.slice(1) : near);
  }
  return [...days.values()].sort((a, b) => a.day - b.day);
}

function addLegs(day: NaiveDay, legs: readonly NaiveLeg[]): void {
  const doing = doingOf(legs);
  for (const [index, leg] of legs.entries()) {
    if (dayOfLeg(leg) !== day.day) continue;
    const seconds = leg.to - leg.from;
    if (leg.kind === 'gap') {
      day.gaps += 1;
      day.gap_s += seconds;
      continue;
    }
    const isWay = doing[index] === 'way';
    day.distance += isWay ? leg.meters : 0;
    day.driving_s += isWay ? leg.drivingS : 0;
    day.standing_s += seconds - (isWay ? leg.drivingS : 0);
  }
  const parts = partsOf(legs, doing);
  for (const [index, part] of parts.entries()) addPart(day, part, index === parts.length - 1);
}

function countFixes(days: Map<number, NaiveDay>, sent: readonly NaiveFix[]) {
  const seconds = new Set<number>();
  for (const fix of sent) {
    if (fix.latitude === 0 && fix.longitude === 0) continue;
    const day = dayOf(days, Math.floor(fix.ts / DAY));
    const reported = reportedOf(fix);
    if (!seconds.has(fix.ts)) day.fixes += 1;
    seconds.add(fix.ts);
    if (reported !== undefined) day.reported.push(reported);
    if (fix.odometer !== undefined) day.odometers.push(fix.odometer);
  }
  const points = pointsOf(sent);
  for (const { fix, isJump } of points) {
    if (isJump) dayOf(days, Math.floor(fix.ts / DAY)).jumps += 1;
  }
  return points;
}

/** A way within a yard is no way; a silence is rest if the device is where it was. */
function doingOf(legs: readonly NaiveLeg[]): readonly Doing[] {
  return runsBy(legs, (leg, before) => leg.kind === before.kind && leg.kind !== 'gap')
    .flatMap((run): readonly Doing[] => {
      const [first] = run;
      if (first?.kind === 'gap') return [isSame(first.start, first.end) ? 'rest' : 'lost'];
      const isWay = first?.kind === 'way'
        && extentOf(run.flatMap(({ start, end }) => [start, end])) >= YARD_M;
      return run.map(() => (isWay ? 'way' : 'rest'));
    });
}

/** Stops last five minutes at least; shorter rests belong to the trip around them. */
function partsOf(legs: readonly NaiveLeg[], doing: readonly Doing[]): readonly Part[] {
  const items = legs.map((leg, index) => ({ leg, doing: doing[index] ?? 'lost' }));
  const finer = runsBy(items, (item, before) => item.doing === before.doing).map((run) => {
    const isBrief = run[0]?.doing === 'rest'
      && run.reduce((sum, { leg }) => sum + leg.to - leg.from, 0) < STOP_S;
    return { group: isBrief ? 'way' : run[0]?.doing ?? 'lost', run };
  });
  return runsBy(finer, (item, before) => item.group === before.group).map((all) => ({
    doing: all[0]?.group ?? 'lost',
    legs: all.flatMap(({ group, run }) => run.map(({ leg, doing: own }) => ({ leg, own, group })))
      .filter(({ own, group }) => group !== 'way' || own === 'way').map(({ leg }) => leg),
  }));
}

function addPart(day: NaiveDay, { doing, legs }: Part, isLast: boolean): void {
  const piece = legs.filter((leg) => dayOfLeg(leg) === day.day);
  const [first, last] = [piece[0], piece.at(-1)];
  if (doing === 'lost' || first === undefined || last === undefined) return;
  const sum = (of: (leg: NaiveLeg) => number) => piece.reduce((all, leg) => all + of(leg), 0);
  const span = { start_ts: first.from, end_ts: last.to, continues: first !== legs[0] };
  if (doing === 'way') {
    day.trips.push({
      ...span, distance: sum(({ meters }) => meters), driving_s: sum(({ drivingS }) => drivingS),
    });
    return;
  }
  day.stops.push({
    ...span, dwell_s: sum(({ from, to }) => to - from), is_open: isLast,
    silent_s: sum(({ kind, from, to }) => (kind === 'gap' ? to - from : 0)),
  });
}

/** A leg counts on the day in which it ends; a silence, on that of the fix after it. */
function dayOfLeg({ to }: NaiveLeg): number {
  return Math.floor(to / DAY);
}

function isSame(a: Place, b: Place): boolean {
  return metersBetween(a, b) <= YARD_M;
}

function runsBy<T>(all: readonly T[], goesOn: (item: T, before: T) => boolean): readonly T[][] {
  const runs: T[][] = [];
  for (const item of all) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && goesOn(item, before)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

function dayOf(days: Map<number, NaiveDay>, day: number): NaiveDay {
  const found = days.get(day) ?? {
    day, fixes: 0, distance: 0, driving_s: 0, standing_s: 0, gaps: 0, gap_s: 0, jumps: 0,
    reported: [], odometers: [], trips: [], stops: [],
  };
  days.set(day, found);
  return found;
}
