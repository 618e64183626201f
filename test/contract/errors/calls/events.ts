import type { WrongCall } from '../wrong-call.ts';

const to = 'send-telemetry-events';
const first = '/events/0';
const failed = (at: readonly string[], ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code: 'validation_failed', at, says }
);

/** Events of devices, and answers to commands that ask for them. */
export const EVENTS: readonly WrongCall[] = [
  { id: 'EVT-E01', to, review: 'enum', mistake: 'an event that is none', grade: 'A', set: { [`${first}/name`]: 'panic_button' },
    answer: failed([`${first}/name`], 'must be one of "harsh_braking"', '"speeding_ops"', 'and is "panic_button"') },
  { id: 'EVT-E02', to, review: 'enum', mistake: 'harsh_breaking', grade: 'A', set: { [`${first}/name`]: 'harsh_breaking' },
    answer: failed([`${first}/name`], 'did you mean "harsh_braking"?') },
  { id: 'EVT-E03', to, review: 'enum', mistake: 'harshBraking', grade: 'A', set: { [`${first}/name`]: 'harshBraking' },
    answer: failed([`${first}/name`], 'did you mean "harsh_braking"?') },
  { id: 'EVT-E04', to, review: 'date', mistake: 'a date-time without offset', grade: 'A',
    set: { [`${first}/start_date`]: '2025-11-24T13:00:00' },
    answer: failed([`${first}/start_date`], 'must be an ISO 8601 date-time with an offset, such as 2025-01-31T10:00:00Z', 'the offset is missing') },
  { id: 'EVT-E05', to, review: 'date', mistake: 'a day without a time', grade: 'A', set: { [`${first}/start_date`]: '2025-11-24' },
    answer: failed([`${first}/start_date`], 'such as 2025-01-31T10:00:00Z', 'the time is missing') },
  { id: 'EVT-E06', to, review: 'date', mistake: 'day, month, year', grade: 'A', set: { [`${first}/end_date`]: '24/11/2025 13:00' },
    answer: failed([`${first}/end_date`], 'such as 2025-01-31T10:00:00Z') },
  { id: 'EVT-E07', to, review: 'date', mistake: 'the 30th of February', grade: 'A', set: { [`${first}/end_date`]: '2025-02-30T13:00:00Z' },
    answer: failed([`${first}/end_date`], 'there is no such day or time') },
  { id: 'EVT-E08', to, mistake: 'seconds for a date-time', grade: 'A', set: { [`${first}/start_date`]: 1_764_000_000 },
    answer: failed([`${first}/start_date`], 'must be a string, not a number', 'such as 2025-01-31T10:00:00Z') },
  { id: 'EVT-E09', to, review: 'limits', mistake: '501 events', grade: 'A',
    set: { '/events': Array.from({ length: 501 }, () => (
      { name: 'sharp_turn', start_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T13:00:00Z' })) },
    answer: { status: 400, code: 'payload_too_large', at: ['/events'], says: ['must have at most 500 items, and has 501'] } },
  { id: 'EVT-E10', to, review: 'plural', mistake: 'no event', grade: 'A', set: { '/events': [] },
    answer: failed(['/events'], 'must have at least 1 item') },
  { id: 'EVT-E11', to, mistake: 'event for events', grade: 'A', drop: ['/events'], set: { '/event': [] },
    answer: failed(['/events'], 'is mandatory; rename event, which is not a field here') },
  { id: 'EVT-E12', to, mistake: 'startDate', grade: 'A', drop: [`${first}/start_date`], set: { [`${first}/startDate`]: '2025-11-24T13:00:00Z' },
    answer: failed([`${first}/start_date`], 'is mandatory; rename startDate, which is not a field here') },
  { id: 'EVT-E13', to, mistake: 'an external id that is an object', grade: 'A', set: { [`${first}/external_id`]: {} },
    answer: failed([`${first}/external_id`], 'must be a string or an integer, not an object') },
  { id: 'EVT-E14', to, review: 'silent', mistake: 'an event that ends before it starts', grade: 'C',
    why: 'Kept with a flag that analysts see, never refused.',
    set: { [`${first}/end_date`]: '2025-11-24T12:00:00-03:00' },
    warns: [`reversed_times ${first}/end_date`],
    answer: { status: 202, says: ['success'] } },
  { id: 'EVT-E15', to, mistake: 'events of a device that is unknown', device: 'unknown', grade: 'A',
    answer: { status: 403, code: 'device_not_allowed', at: ['/device_id'], says: ['no such device'] } },
  { id: 'EVT-E16', to, mistake: 'events without a scope', grade: 'A', as: 'a token without the scope',
    answer: { status: 403, code: 'insufficient_scope', says: ['lacks the scope rtt:events'] } },
  { id: 'DEF-E01', to: 'send-deferred-events', review: 'pattern', mistake: 'an id that is no Base64', grade: 'A',
    set: { '/id': 'request 1' },
    answer: failed(['/id'], 'must be Base64, such as cmVxdWVzdC0x') },
  { id: 'DEF-E02', to: 'send-deferred-events', review: 'pattern', mistake: 'an id of which the padding was cut', grade: 'A',
    set: { '/id': 'cmVxdWVzdC0' },
    answer: failed(['/id'], 'must be Base64', 'filled up with = to a multiple of four characters') },
  { id: 'DEF-E03', to: 'send-deferred-events', mistake: 'the answer to a command that never was', grade: 'A',
    answer: { status: 400, code: 'telemetry_request_unknown', at: ['/id'],
      says: ['is not the id of a process_telemetry_events command to this provider'] } },
  { id: 'DEF-E04', to: 'send-deferred-events', mistake: 'routeDistance', grade: 'A', drop: ['/route_distance'],
    set: { '/routeDistance': 12.5 },
    answer: failed(['/route_distance'], 'is mandatory; rename routeDistance, which is not a field here') },
  { id: 'DEF-E05', to: 'send-deferred-events', mistake: 'a distance with its unit', grade: 'A',
    set: { '/route_distance': '182.4 km' },
    answer: failed(['/route_distance'], 'must be a number, not a string: leave out the unit and the quotes') },
];
