import type { ViewerRecord } from '../../run-files.ts';
import type { Evidence, LogEntry, SeenView } from '../evidence.ts';
import { fieldOf, groupBy, textOf } from '../read-evidence.ts';
import { TOPIC } from '../topics.ts';

/** A viewer of a live feed with what it got, in the order in which it came. */
export interface SeenBy extends ViewerRecord {
  readonly lines: readonly SeenView[];
}

const NS_PER_MS = 1_000_000;
const STOPPED = 'DeviceTrackingStopped';

/** The viewers of a run. */
export function viewersOf({ run, views }: Evidence): readonly SeenBy[] {
  const lines = groupBy(views, ({ viewer }) => viewer);
  return (run.live?.viewers ?? []).map((viewer) => (
    { ...viewer, lines: lines.get(viewer.name) ?? [] }
  ));
}

/** When the last fault was healed, in milliseconds since the begin of the run. */
export function healedAt({ run }: Evidence): number {
  return sinceBegin(run, run.healed_ns);
}

/** Until when all that viewers saw is known, in milliseconds since the begin of the run. */
export function seenUntil({ run }: Evidence): number {
  return sinceBegin(run, run.live?.seen_until_ns ?? run.quiet_ns);
}

function sinceBegin({ epoch }: Evidence['run'], ns: string): number {
  return Number(BigInt(ns) - BigInt(epoch.t_ns)) / NS_PER_MS;
}

/** When a record came into the log, in milliseconds since the begin of the run. */
export function loggedAt({ run: { epoch } }: Evidence, { timestampMs }: LogEntry): number {
  return timestampMs - epoch.at_ms;
}

/** Whose each device is, by its registrations. */
export function ownersOf({ log }: Evidence): ReadonlyMap<string, string> {
  return new Map(log.filter(({ topic }) => topic === TOPIC.lifecycle)
    .map(({ value }) => [textOf(value, 'device_id'), textOf(value, 'client_id')]));
}

/** The devices that were stopped for good. */
export function stoppedIn({ log }: Pick<Evidence, 'log'>): ReadonlySet<string> {
  return new Set(log
    .filter(({ topic, value }) => topic === TOPIC.lifecycle && fieldOf(value, 'type') === STOPPED)
    .map(({ value }) => textOf(value, 'device_id')));
}
