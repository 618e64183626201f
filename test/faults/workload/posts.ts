import type { Dice } from '../dice.ts';
import type { CallArgs, Item } from '../history.ts';
import type { Caller, Ending } from './caller.ts';

/** Who posts, for which provider, and how items get their marks. */
export interface Poster {
  readonly caller: Caller;
  readonly token: string;
  readonly provider: string;
  readonly dice: Dice;
  readonly mark: () => string;
}

const COUNTRY = '?country_id=BR';
const EVENT_NAMES = ['harsh_braking', 'harsh_acceleration', 'sharp_turn', 'speeding_route'];
const PAST_SECONDS_MAX = 3_600;

/**
 * Posts a few fixes of a device, each with a mark of its own. Some share their second with the one
 * before and are elsewhere, or say the same but for their metadata: all of them count.
 */
export function sendLocations(
  by: Poster, device_id: string, args: Partial<CallArgs> = {}, gateway?: number,
): Promise<Ending> {
  let fix = newFix(by.dice);
  const locations = several(by, 4, (mark) => {
    const twin = by.dice.between(1, 4);
    if (twin === 1) fix = { ...newFix(by.dice), timestamp: fix.timestamp };
    else if (twin !== 2) fix = newFix(by.dice);
    return { ...fix, metadata: [{ name: 'mark', value: mark }] };
  });
  return by.caller.call({
    op: 'send-locations', token: by.token,
    path: `/shipping/rtt/georeceiver/${by.provider}/locations${COUNTRY}`,
    body: {
      device_id, post_timestamp: nowSeconds(), locations: locations.map(({ content }) => content),
    },
    args: { provider: by.provider, device_id, ...args },
    items: locations.map((one): Item => ({ kind: 'location', key: device_id, ...one })),
    ...(gateway === undefined ? {} : { gateway }),
  });
}

/** Posts one or two events of a device. */
export function sendEvents(by: Poster, device_id: string): Promise<Ending> {
  const events = several(by, 2, (mark) => eventOf(by.dice, mark));
  return by.caller.call({
    op: 'send-events', token: by.token,
    path: `/shipping/rtt/georeceiver/${by.provider}/telemetry/events${COUNTRY}`,
    body: {
      device_id, post_timestamp: nowSeconds(), events: events.map(({ content }) => content),
    },
    args: { provider: by.provider, device_id },
    items: events.map((one): Item => ({ kind: 'event', key: device_id, ...one })),
  });
}

/** Answers a `process_telemetry_events` command. */
export function sendDeferredEvents(
  by: Poster, request_id: string, transport_id: number,
): Promise<Ending> {
  const events = several(by, 3, (mark) => eventOf(by.dice, mark));
  return by.caller.call({
    op: 'send-deferred-events', token: by.token,
    path: `/shipping/rtt/georeceiver/${by.provider}/telemetry/events/deferred${COUNTRY}`,
    body: {
      id: request_id, transport_id, route_distance: by.dice.between(1, 900),
      post_timestamp: nowSeconds(), events: events.map(({ content }) => content),
    },
    args: { provider: by.provider, request_id, transport_id },
    items: events.map((one): Item => (
      { kind: 'deferred-event', key: String(transport_id), ...one }
    )),
  });
}

/** Posts where a traceable is that a driver carries. */
export function sendDeliveries(
  by: Poster, traceable: string, args: Partial<CallArgs> = {}, gateway?: number,
): Promise<Ending> {
  const locations = several(by, 3, (mark) => ({
    timestamp: nowSeconds() - by.dice.between(0, PAST_SECONDS_MAX),
    ...place(by.dice),
    metadata: [{ name: 'mark', value: mark }],
  }));
  const [type = '', id = ''] = traceable.split('|');
  return by.caller.call({
    op: 'send-deliveries', token: by.token,
    path: `/shipping/rtt/georeceiver/proximity/${by.provider}/locations${COUNTRY}`,
    body: {
      post_timestamp: nowSeconds(), locations: locations.map(({ content }) => content),
      device: { external_id: `driver-${id}`, external_type: 'driver' },
      traceables: [{ id, type }],
    },
    args: { provider: by.provider, ...args },
    items: locations.map((one): Item => ({ kind: 'delivery', key: traceable, ...one })),
    ...(gateway === undefined ? {} : { gateway }),
  });
}

/** UTC seconds of now. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

type Marked = Pick<Item, 'mark' | 'content'>;

function several(
  { dice, mark }: Poster, most: number, make: (mark: string) => Marked['content'],
): readonly Marked[] {
  return Array.from({ length: dice.between(1, most) }, () => {
    const own = mark();
    return { mark: own, content: make(own) };
  });
}

function newFix(dice: Dice) {
  return {
    timestamp: nowSeconds() - dice.between(0, PAST_SECONDS_MAX),
    country_id: 'BR',
    ...place(dice),
    altitude: dice.between(0, 900),
  };
}

function eventOf(dice: Dice, mark: string): Marked['content'] {
  const start = nowSeconds() - dice.between(60, PAST_SECONDS_MAX);
  return {
    name: dice.pick(EVENT_NAMES),
    start_date: new Date(start * 1_000).toISOString(),
    end_date: new Date((start + 5) * 1_000).toISOString(),
    ...place(dice),
    metadata: [{ name: 'mark', value: mark }],
  };
}

function place(dice: Dice): { readonly latitude: number; readonly longitude: number } {
  return { latitude: dice.between(-330, 50) / 10, longitude: dice.between(-700, -350) / 10 };
}
