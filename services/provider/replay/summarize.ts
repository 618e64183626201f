import type { Long } from '../../kernel/longs.ts';
import type {
  DeferredEvent, DeferredEventsBody, LocationFix,
} from '../../../schemas/generated/types.ts';
import { deriveEvents } from './events.ts';

/** Most events of one answer (interface, 11; schemas/http/deferred-events-body.json). */
const EVENTS_MAX = 500;
const EARTH_KILOMETERS = 6_371.0088;

/**
 * The answer to a `process_telemetry_events` command: the events of the drive within the window,
 * summarized, and the length of its way in kilometers. Nothing driven is an answer too.
 */
export function summarize(
  request: { readonly id: string; readonly transport_id: Long },
  fixes: readonly LocationFix[], nowMs: number,
): DeferredEventsBody {
  const events = deriveEvents(fixes).slice(0, EVENTS_MAX)
    .map(({ event: { name, start_date, end_date, distance, latitude, longitude } }) => (
      { name, start_date, end_date, distance, latitude, longitude } as DeferredEvent
    ));
  return {
    ...request,
    route_distance: routeKilometers(fixes),
    post_timestamp: Math.floor(nowMs / 1000),
    events,
  };
}

/** Along the fixes one by one; a fix at 0,0 is an error of a receiver. */
function routeKilometers(fixes: readonly LocationFix[]): number {
  const sound = fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  let kilometers = 0;
  sound.forEach((fix, at) => {
    const before = sound[at - 1];
    if (before !== undefined) kilometers += kilometersBetween(before, fix);
  });
  return Math.round(kilometers * 1_000) / 1_000;
}

function kilometersBetween(a: LocationFix, b: LocationFix): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const narrowing = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const chord = half(a.latitude, b.latitude) + narrowing * half(a.longitude, b.longitude);
  return 2 * EARTH_KILOMETERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
