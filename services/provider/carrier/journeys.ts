import recorded from '../journeys/active-shipping/journeys.json' with { type: 'json' };

/** One event of a shipment as its carrier reported it (`journeys/CREDITS.md`). */
export interface JourneyEvent {
  /** Epoch milliseconds at the place of the event. */
  readonly at_ms: number;
  /** The carrier's own code. */
  readonly carrier_code: string;
  readonly description: string;
  readonly reason: string | undefined;
  readonly city: string | undefined;
  readonly state: string | undefined;
  readonly country_id: string;
}

/** What happened to one shipment, in the order of the origin, which is not always that of time. */
export type Journey = readonly JourneyEvent[];

interface RecordedEvent {
  readonly at: string;
  readonly code: string;
  readonly description: string;
  readonly reason?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country: string;
}

const HAS_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** The recorded journeys. A time without an offset takes that of the next event that has one. */
export function readJourneys(): readonly Journey[] {
  return recorded.map(({ events }) => events.map((event: RecordedEvent, at) => ({
    at_ms: Date.parse(event.at + (HAS_OFFSET.test(event.at) ? '' : offsetAfter(events, at))),
    carrier_code: event.code,
    description: event.description,
    reason: event.reason,
    city: event.city,
    state: event.state,
    country_id: event.country,
  })));
}

function offsetAfter(events: readonly RecordedEvent[], at: number): string {
  const next = events.slice(at + 1).find((event) => HAS_OFFSET.test(event.at));
  return HAS_OFFSET.exec(next?.at ?? '')?.[0] ?? 'Z';
}
