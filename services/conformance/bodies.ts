import type { Session } from './session.ts';

/** A location with every optional field that a transport device may send. */
export function aFix(session: Session) {
  const timestamp = session.nowSeconds();
  return {
    timestamp,
    country_id: session.setup.country,
    latitude: -23.55052012,
    longitude: -46.63330812,
    altitude: 760.5,
    accuracy: 4.5,
    bearing: 181.25,
    bearing_accuracy: 2,
    metadata: [{ name: 'shift', value: 'night' }],
    telemetry: {
      timestamp, ignition: true, odometer: 12_345.6, speed: 43.2, speed_accuracy: 0.5,
      engine_rpm: 2_100, engine_temperature: 90, air_temperature: 24.5,
      acceleration_longitudinal: 0.2, acceleration_lateral: -0.1, direction: 'N',
      fuel_quantity: 40, fuel_level: 0, fuel_consumption: 9.5, battery_level: 100,
      battery_consumption: 6, battery_health: 97.5, battery_temperature: 30,
      battery_remaining: 50, others: [{ name: 'door', value: 'closed' }],
    },
  };
}

/** Body of endpoint 9. */
export function locationsBody(session: Session, device_id: string) {
  return { device_id, post_timestamp: session.nowSeconds(), locations: [aFix(session)] };
}

/** As many `name`/`value` pairs as asked for. */
export function pairs(count: number): { name: string; value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `n${index}`, value: 'v' }));
}

/** As many copies as asked for; the items of a list may repeat. */
export function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

/** A telemetry event with what every endpoint takes. */
export function anEvent(session: Session) {
  return {
    name: 'harsh_braking',
    start_date: isoOf(session.nowSeconds() - 20),
    end_date: isoOf(session.nowSeconds() - 10),
    distance: 12.5,
    latitude: -23.55052,
    longitude: -46.633308,
    metadata: [{ name: 'severity', value: 'high' }],
  };
}

/** Body of endpoint 10. */
export function eventsBody(session: Session, device_id: string) {
  const own = { external_id: 'ev-1', last_updated_date: isoOf(session.nowSeconds()), status: 1 };
  return {
    device_id, post_timestamp: session.nowSeconds(), events: [{ ...anEvent(session), ...own }],
  };
}

/** The six names of the interface. */
export const EVENT_NAMES = [
  'harsh_braking', 'harsh_acceleration', 'unfastened_seatbelt', 'sharp_turn', 'speeding_route',
  'speeding_ops',
] as const;

/** Body of endpoint 11, the answer to a command. */
export function deferredBody(session: Session, id: string, transport_id: number) {
  return {
    id, transport_id, route_distance: 120.5, post_timestamp: session.nowSeconds(),
    events: [anEvent(session)],
  };
}

/** Body of endpoint 12 in the form of its field table: device and traceables at top level. */
export function deliveryBody(session: Session) {
  const { telemetry: _telemetry, country_id: _country, ...fix } = aFix(session);
  return {
    post_timestamp: session.nowSeconds(),
    locations: [fix],
    device: { external_id: session.unique('driver'), external_type: 'conformance-driver' },
    traceables: [
      { id: session.unique('parcel'), type: 'shipment' },
      { id: session.unique('parcel'), type: 'shipment' },
    ],
  };
}

/** ISO 8601 in UTC of epoch seconds. */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
