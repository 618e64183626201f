import type { Long } from '../../kernel/longs.ts';
import type {
  DeferredEventsBody, DeliveryLocation, TelemetryEvent, Traceable,
} from '../../../schemas/generated/types.ts';
import { identityOfStored, type StoredLocation } from './identity.ts';

/*
 * Identities of what is no location of a device: plain texts, so that a difference can be read.
 * Each begins with what its rows are asked for by, up to the first SEPARATOR.
 */

/** Stands between the parts of an identity; it is in none of the ids that the provider makes. */
const SEPARATOR = '|';

/** An event as it is stored; times are epoch milliseconds, `null` is what was not sent. */
export interface StoredEvent {
  readonly name: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly distance: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Identity of an event of a device. */
export function eventIdentity(device_id: string, external_id: string, event: StoredEvent): string {
  return joined(device_id, external_id, ...partsOf(event));
}

/** Identity of an event as it is sent. */
export function sentEventIdentity(device_id: string, event: TelemetryEvent): string {
  return eventIdentity(device_id, String(event.external_id ?? ''), storedEvent(event));
}

/** A deferred answer as it is stored, apart from its events. */
export interface StoredAnswer {
  readonly request_id: string;
  readonly transport_id: Long;
  readonly route_distance: number;
  readonly events: number;
}

/** Identity of a deferred answer itself: one without events is an answer too. */
export function deferredAnswerIdentity(answer: StoredAnswer): string {
  const { request_id, transport_id, route_distance, events } = answer;
  return joined(request_id, 'answer', transport_id, route_distance, events);
}

/** Identity of an event of a deferred answer, by its place in it, from 1. */
export function deferredEventIdentity(
  request_id: string, item: number, event: StoredEvent,
): string {
  return joined(request_id, item, ...partsOf(event));
}

/** All identities of a deferred answer as it is sent: itself, then its events. */
export function sentDeferredIdentities(body: DeferredEventsBody): readonly string[] {
  const { id, transport_id, route_distance, events } = body;
  return [
    deferredAnswerIdentity({
      request_id: id, transport_id, route_distance, events: events.length,
    }),
    ...events.map((event, at) => deferredEventIdentity(id, at + 1, storedEvent(event))),
  ];
}

/** Where a traceable was, as it is stored: a location without country and telemetry. */
export interface StoredDelivery extends Omit<StoredLocation, 'device_id' | 'country_id'> {
  readonly traceable_id: string;
  readonly traceable_type: string;
  readonly external_id: string;
  readonly external_type: string;
}

/** Identity of one location of one traceable. */
export function deliveryIdentity(row: StoredDelivery): string {
  const { traceable_id, traceable_type, external_id, external_type } = row;
  const device_id = JSON.stringify([traceable_type, external_id, external_type]);
  return joined(traceable_id, identityOfStored({ ...row, device_id, country_id: '' }));
}

/** Identities of a location of a driver: one for each traceable. */
export function sentDeliveryIdentities(
  fix: DeliveryLocation, driver: { readonly external_id: string; readonly external_type: string },
  traceables: readonly Traceable[],
): readonly string[] {
  const { external_id, external_type } = driver;
  return traceables.map(({ id, type }) => deliveryIdentity({
    traceable_id: id, traceable_type: type, external_id, external_type,
    timestamp: fix.timestamp,
    lat_e7: Math.round(fix.latitude * 1e7),
    lon_e7: Math.round(fix.longitude * 1e7),
    altitude: fix.altitude ?? null,
    accuracy: fix.accuracy ?? null,
    bearing: fix.bearing ?? null,
    bearing_accuracy: fix.bearing_accuracy ?? null,
    metadata: fix.metadata ?? null,
  }));
}

/**
 * Identity of an authorization or a cancellation; the tracking number of an authorization is known
 * from its answer alone.
 */
export function authorizationIdentity(
  transport_order_id: string, epoch: number, status: 'authorized' | 'cancelled',
  tracking_number?: string,
): string {
  const number = tracking_number === undefined ? [] : [tracking_number];
  return joined(transport_order_id, epoch, status, ...number);
}

/** Identity of a notification with what must come of it. */
export function notificationIdentity(
  tracking_number: string,
  notification: {
    readonly code: string; readonly carrier_code: string;
    readonly occurred_ms: number; readonly outcome: string;
  },
): string {
  const { code, carrier_code, occurred_ms, outcome } = notification;
  return joined(tracking_number, code, carrier_code, occurred_ms, outcome);
}

/** Identity of a command in its state; its id is known from the platform's answer alone. */
export function commandIdentity(
  command_id: string, command: string, transport_id: Long | undefined, state: string,
): string {
  return joined(command_id, command, transport_id ?? '', state);
}

/** What the rows of an identity are asked for by. */
export function keyOf(identity: string): string {
  return identity.slice(0, identity.indexOf(SEPARATOR));
}

function storedEvent(event: Omit<TelemetryEvent, 'external_id'>): StoredEvent {
  return {
    name: event.name,
    start_ms: Date.parse(event.start_date),
    end_ms: Date.parse(event.end_date),
    distance: event.distance ?? null,
    latitude: event.latitude ?? null,
    longitude: event.longitude ?? null,
  };
}

function partsOf(event: StoredEvent): readonly (string | number)[] {
  const { name, start_ms, end_ms, distance, latitude, longitude } = event;
  return [name, start_ms, end_ms, distance ?? '', latitude ?? '', longitude ?? ''];
}

function joined(...parts: readonly (string | number)[]): string {
  return parts.join(SEPARATOR);
}
