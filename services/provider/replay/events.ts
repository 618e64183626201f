import type { LocationFix, TelemetryEvent } from '../../../schemas/generated/types.ts';

/** An event with the row of the fix at which it is over and can be sent. */
export interface DerivedEvent {
  readonly row: number;
  readonly event: TelemetryEvent;
}

/** Falls and rises of speed within one second that count, in m/s²; as the drives were studied. */
const BRAKING = -3;
const ACCELERATION = 2.5;

/** Above the limit by more than this is speeding, in km/h. */
const SPEEDING_TOLERANCE = 5;

interface Sample {
  readonly row: number;
  readonly fix: LocationFix;
  readonly speed: number;
}

/**
 * The events of a drive that is sampled each second: harsh braking and acceleration from one second
 * to the next, and each unbroken run above the limit of the road. Fixes without a speed, and gaps,
 * end a run and make no event. Rows count from 0; the last run counts when it is over.
 */
export function deriveEvents(fixes: readonly LocationFix[]): readonly DerivedEvent[] {
  const events: DerivedEvent[] = [];
  let before: Sample | undefined;
  let run: Sample[] = [];

  function endRun(row: number): void {
    const [first, last] = [run[0], run.at(-1)];
    if (first !== undefined && last !== undefined) {
      const meters = run.reduce((sum, { speed }) => sum + speed / 3.6, 0);
      events.push({ row, event: eventOf('speeding_route', first.fix, last.fix, meters) });
    }
    run = [];
  }

  for (const [row, fix] of fixes.entries()) {
    const { speed } = fix.telemetry ?? {};
    const sample = speed === undefined ? undefined : { row, fix, speed };
    const isNext = before !== undefined && fix.timestamp - before.fix.timestamp === 1;
    if (sample !== undefined && before !== undefined && isNext) {
      const change = (sample.speed - before.speed) / 3.6;
      const name = nameOf(change);
      const meters = (sample.speed + before.speed) / 7.2;
      if (name !== undefined) events.push({ row, event: eventOf(name, before.fix, fix, meters) });
    }
    const isSpeeding = sample !== undefined && sample.speed > limitOf(fix) + SPEEDING_TOLERANCE;
    if (run.length > 0 && !(isSpeeding && isNext)) endRun(row);
    if (isSpeeding) run.push(sample);
    before = sample;
  }
  endRun(fixes.length - 1);
  return events;
}

function nameOf(change: number): TelemetryEvent['name'] | undefined {
  if (change <= BRAKING) return 'harsh_braking';
  return change >= ACCELERATION ? 'harsh_acceleration' : undefined;
}

/** Limit of the road in km/h; without one nothing is speeding. */
function limitOf({ telemetry }: LocationFix): number {
  const sent = telemetry?.others?.find(({ name }) => name === 'SpeedLimit')?.value;
  const limit = Number(sent ?? Number.NaN);
  return limit > 0 ? limit : Infinity;
}

function eventOf(
  name: TelemetryEvent['name'], first: LocationFix, last: LocationFix, meters: number,
): TelemetryEvent {
  return {
    name,
    start_date: dateOf(first),
    end_date: dateOf(last),
    distance: Math.round(meters * 10) / 10,
    latitude: last.latitude,
    longitude: last.longitude,
  };
}

function dateOf({ timestamp }: LocationFix): string {
  return new Date(timestamp * 1000).toISOString();
}
