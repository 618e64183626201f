import { describe, expect, it } from 'vitest';
import { changed, pairs, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const time = '2025-11-24T13:00:00-03:00';
const event = { name: 'harsh_braking', start_date: time, end_date: time };
const sent: Json = { device_id: 'd1', post_timestamp: 1764000000, events: [event] };
const deferred: Json = {
  id: 'cmVxdWVzdC0x', route_distance: 1.5, transport_id: 7, post_timestamp: 1764000000,
  events: [event],
};
const sentFaults = validatorOf('TelemetryEventsBody');
const deferredFaults = validatorOf('DeferredEventsBody');
const sentAt = (path: string, value: unknown): string[] => sentFaults(changed(sent, path, value));
const deferredAt = (path: string, value: unknown): string[] =>
  deferredFaults(changed(deferred, path, value));
const NAMES = [
  'harsh_braking', 'harsh_acceleration', 'unfastened_seatbelt', 'sharp_turn', 'speeding_route',
  'speeding_ops',
];
const many = (count: number): Json[] => Array.from({ length: count }, () => event);

describe('the body of an events call', () => {
  it.each(['device_id', 'post_timestamp', 'events'])('[EVT-02] needs %s', (name) => {
    expect(sentAt(`/${name}`, undefined)).toEqual([`/${name} required`]);
  });

  it.each(['name', 'start_date', 'end_date'])('[EVT-03] [DEF-04] needs %s of an event', (name) => {
    expect(sentAt(`/events/0/${name}`, undefined)).toEqual([`/events/0/${name} required`]);
    expect(deferredAt(`/events/0/${name}`, undefined)).toEqual([`/events/0/${name} required`]);
  });

  it('[EVT-04] [DEF-04] takes the six names and no other', () => {
    for (const name of NAMES) {
      expect(sentAt('/events/0/name', name)).toEqual([]);
      expect(deferredAt('/events/0/name', name)).toEqual([]);
    }
    expect(sentAt('/events/0/name', 'braking')).toEqual(['/events/0/name enum']);
    expect(deferredAt('/events/0/name', 'braking')).toEqual(['/events/0/name enum']);
  });

  it.each(['start_date', 'end_date', 'last_updated_date'])('[EVT-05] %s is a date', (name) => {
    expect(sentAt(`/events/0/${name}`, '2025-11-24T16:00:00Z')).toEqual([]);
    expect(sentAt(`/events/0/${name}`, '24/11/2025')).toEqual([`/events/0/${name} format`]);
    expect(sentAt(`/events/0/${name}`, 1764000000)).toEqual([`/events/0/${name} type`]);
  });

  it.each(['distance', 'latitude', 'longitude', 'status'])('[EVT-06] %s is a number', (name) => {
    expect(sentAt(`/events/0/${name}`, 1.5)).toEqual([]);
    expect(sentAt(`/events/0/${name}`, '1.5')).toEqual([`/events/0/${name} type`]);
  });

  it('[EVT-07] [GEN-24] takes external_id as text or as an exact integer', () => {
    expect(sentAt('/events/0/external_id', 'e-1')).toEqual([]);
    expect(sentAt('/events/0/external_id', 77)).toEqual([]);
    expect(sentAt('/events/0/external_id', true)).toContain('/events/0/external_id anyOf');
    expect(sentAt('/events/0/external_id', 2 ** 53)).toContain('/events/0/external_id anyOf');
  });

  it('[EVT-08] [EVT-09] takes any number of whole metadata pairs', () => {
    expect(sentAt('/events/0/metadata', pairs(21))).toEqual([]);
    expect(sentAt('/events/0/metadata', [{ name: 'a' }])).toEqual([
      '/events/0/metadata/0/value required',
    ]);
  });

  it('[EVT-10] [DEF-10] takes 500 events and refuses 501', () => {
    expect(sentAt('/events', many(500))).toEqual([]);
    expect(sentAt('/events', many(501))).toEqual(['/events maxItems']);
    expect(sentAt('/events', [])).toEqual(['/events minItems']);
    expect(deferredAt('/events', many(500))).toEqual([]);
    expect(deferredAt('/events', many(501))).toEqual(['/events maxItems']);
  });

  it('[EVT-13] names every faulty event', () => {
    expect(sentAt('/events', [{ ...event, name: 'x' }, event, { ...event, distance: 'y' }]))
      .toEqual(['/events/0/name enum', '/events/2/distance type']);
  });
});

describe('the body of a deferred events call', () => {
  it.each(['id', 'route_distance', 'transport_id', 'post_timestamp', 'events'])(
    '[DEF-02] needs %s',
    (name) => {
      expect(deferredAt(`/${name}`, undefined)).toEqual([`/${name} required`]);
    },
  );

  it.each([
    ['/route_distance', '1.5'],
    ['/transport_id', true],
    ['/post_timestamp', 1764000000.5],
  ])('[DEF-03] refuses %s as %j', (path, value) => {
    expect(deferredAt(path, value)).toEqual([`${path} type`]);
  });

  it('[DEF-05] [DEF-06] needs no device, and takes optional fields or no event at all', () => {
    const full = { ...event, distance: 1, latitude: 2, longitude: 3, metadata: pairs(1) };
    expect(deferredAt('/events', [full])).toEqual([]);
    expect(deferredAt('/events', [])).toEqual([]);
  });
});
