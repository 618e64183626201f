import type { WrongCall } from '../wrong-call.ts';

const to = 'register-device';
const failed = (at: readonly string[], ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code: 'validation_failed', at, says }
);
const missing = (...says: readonly string[]): WrongCall['answer'] => (
  { status: 404, code: 'device_not_found', says }
);
const flat = { external_entity: { entity_id: 't', entity_type: 'truck' } };

/** Registrations, starts and stops of devices. */
export const DEVICES: readonly WrongCall[] = [
  { id: 'DEV-01', to, review: 'neighbours', mistake: 'a flat transport_id', grade: 'A',
    body: { ...flat, transport_id: 987_654 },
    answer: failed(['/transport'], 'is mandatory: an object with id; transport_id is not a field here') },
  { id: 'DEV-02', to, review: 'neighbours', mistake: 'externalEntity', grade: 'A', drop: ['/external_entity'],
    set: { '/externalEntity': { entity_id: 't', entity_type: 'truck' } },
    answer: failed(['/external_entity'], 'rename externalEntity, which is not a field here') },
  { id: 'DEV-03', to, review: 'enum', mistake: 'a device type that is none', grade: 'A',
    set: { '/device_specs/device_type': 'TRACKER' },
    answer: failed(['/device_specs/device_type'], 'must be one of "MOBILE", "GPS", "OBD", "OTHER", and is "TRACKER"') },
  { id: 'DEV-04', to, review: 'enum', mistake: 'a device type in lower case', grade: 'A',
    set: { '/device_specs/device_type': 'gps' },
    answer: failed(['/device_specs/device_type'], 'and is "gps": did you mean "GPS"?') },
  { id: 'DEV-05', to, mistake: 'a device type as a number', grade: 'A', set: { '/device_specs/device_type': 1 },
    answer: failed(['/device_specs/device_type'], 'must be a string, not a number') },
  { id: 'DEV-06', to, review: 'limits', mistake: 'a registration of 17 KiB', grade: 'A',
    set: { '/device_specs/more': 'x'.repeat(17_408) },
    answer: { status: 400, code: 'payload_too_large', says: ['The body has more than 16384 bytes'] } },
  { id: 'DEV-07', to, mistake: 'a brand of 300 characters', grade: 'A',
    set: { '/device_specs/brand': 'b'.repeat(300) },
    answer: failed(['/device_specs/brand'], 'must have at most 255 characters, and has 300') },
  { id: 'DEV-08', to, review: 'pattern', mistake: 'a transport id with a word in it', grade: 'A',
    set: { '/transport/id': 'T-987654' },
    answer: failed(['/transport/id'], 'must be a whole number of at most 64 bits, such as 987654') },
  { id: 'DEV-09', to, mistake: 'a transport id with a fraction', grade: 'A', set: { '/transport/id': 1.5 },
    answer: failed(['/transport/id'], 'must be an integer or a string, not a number with a fraction') },
  { id: 'DEV-10', to, review: 'plural', mistake: 'an empty entity id', grade: 'A', set: { '/external_entity/entity_id': '' },
    answer: failed(['/external_entity/entity_id'], 'must not be empty') },
  { id: 'DEV-11', to, mistake: 'the entity as a text', grade: 'A', set: { '/external_entity': 'truck-0042' },
    answer: failed(['/external_entity'], 'must be an object with entity_id and entity_type, not a string') },
  { id: 'DEV-12', to, mistake: 'the entity type one level up', grade: 'A', drop: ['/external_entity/entity_type'],
    set: { '/entity_type': 'truck' },
    answer: failed(['/external_entity/entity_type'], 'is mandatory; it is at /entity_type, and belongs here') },
  { id: 'DEV-13', to, mistake: 'a misspelt member of the entity', grade: 'A', drop: ['/external_entity/entity_id'],
    set: { '/external_entity/entitiy_id': 't' },
    answer: failed(['/external_entity/entity_id'], 'is mandatory; rename entitiy_id, which is not a field here') },
  { id: 'DEV-14', to: 'start-device-tracking', mistake: 'the start of a device that is unknown', grade: 'A',
    answer: missing('The caller has no such device, or it was stopped for good') },
  { id: 'DEV-15', to: 'stop-device-tracking', mistake: 'the stop of a device that is unknown', grade: 'A',
    answer: missing('The caller has no such device, or it was stopped for good') },
  { id: 'DEV-16', to: 'start-device-tracking-by-entity', mistake: 'a start without the entity', grade: 'A',
    params: { external_entity_id: null, external_entity_type: null },
    answer: missing('external_entity_id and external_entity_type') },
  { id: 'DEV-17', to: 'stop-device-tracking-by-entity', mistake: 'a stop with half of the entity', grade: 'A',
    params: { external_entity_type: null },
    answer: missing('external_entity_id and external_entity_type') },
  { id: 'DEV-18', to: 'start-device-tracking', mistake: 'a start by GET', grade: 'A', method: 'GET',
    answer: { status: 405, code: 'method_not_allowed', says: ['This path takes POST, not GET'] } },
  { id: 'DEV-19', to: 'show-device', mistake: 'a device that is unknown', grade: 'A',
    answer: missing('The caller has no such device') },
  { id: 'DEV-20', to: 'show-device-fix', mistake: 'the position of a device that is unknown', grade: 'A',
    answer: missing('The caller has no such device') },
  { id: 'DEV-21', to: 'show-device', mistake: 'a device without a country', grade: 'A', params: { country_id: null },
    answer: { status: 400, code: 'missing_parameter', at: ['/query/country_id'],
      says: ['The parameter country_id is mandatory'] } },
];
