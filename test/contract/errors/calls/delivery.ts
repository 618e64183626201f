import type { WrongCall } from '../wrong-call.ts';

const to = 'send-delivery-locations';
const first = '/locations/0';
const fix = { timestamp: 1_764_000_000, latitude: -23.5, longitude: -46.6 };
const driver = { external_id: 'driver-7', external_type: 'acme_driver' };
const traceables = [{ id: '40000000001', type: 'shipment' }];
const failed = (at: readonly string[], ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code: 'validation_failed', at, says }
);

/** Where traceables are. */
export const DELIVERY: readonly WrongCall[] = [
  { id: 'DLV-E01', to, review: 'shared', mistake: 'no device anywhere', grade: 'A',
    body: { post_timestamp: 1, traceables, locations: [fix, fix] },
    answer: failed(['/device'], 'is mandatory here or in every location: an object with external_id and external_type') },
  { id: 'DLV-E02', to, review: 'shared', mistake: 'no traceables anywhere', grade: 'A',
    body: { post_timestamp: 1, device: driver, locations: [fix, fix] },
    answer: failed(['/traceables'], 'is mandatory here or in every location') },
  { id: 'DLV-E03', to, review: 'shared', mistake: 'a device in one of two locations', grade: 'A',
    body: { post_timestamp: 1, traceables, locations: [{ ...fix, device: driver }, fix] },
    answer: failed(['/locations/1/device'], 'is mandatory, because the body has no device') },
  { id: 'DLV-E04', to, mistake: 'two devices that contradict each other', grade: 'A',
    set: { [`${first}/device`]: { ...driver, external_id: 'driver-8' } }, hides: ['driver-8', 'driver-7'],
    answer: failed([`${first}/device`], 'differs from /device') },
  { id: 'DLV-E05', to, mistake: 'two lists of traceables that contradict each other', grade: 'A',
    set: { [`${first}/traceables`]: [{ id: '1', type: 'shipment' }] },
    answer: failed([`${first}/traceables`], 'differs from /traceables') },
  { id: 'DLV-E06', to, mistake: 'device_id for device', grade: 'A',
    body: { device_id: 'd', post_timestamp: 1, traceables, locations: [fix] },
    answer: failed(['/device'], 'is mandatory here or in every location: an object with external_id and external_type; device_id is not a field here') },
  { id: 'DLV-E07', to, mistake: 'one traceable in the place of the list', grade: 'A',
    set: { '/traceables': traceables[0] },
    answer: failed(['/traceables'], 'must be an array, not an object') },
  { id: 'DLV-E08', to, mistake: 'external_id of the driver as a number', grade: 'A', set: { '/device/external_id': 7 },
    answer: failed(['/device/external_id'], 'must be a string, not a number: put it in quotes') },
  { id: 'DLV-E09', to, mistake: 'a traceable without its type', grade: 'A', set: { '/traceables': [{ id: '1' }] },
    answer: failed(['/traceables/0/type'], 'is mandatory') },
  { id: 'DLV-E10', to, mistake: 'lat and lon', grade: 'A',
    body: {
      device: driver, traceables, post_timestamp: 1,
      locations: [{ timestamp: 1, lat: 1, lon: 2 }],
    },
    answer: failed([`${first}/latitude`, `${first}/longitude`], 'rename lat,', 'rename lon,') },
  { id: 'DLV-E11', to, mistake: 'the path without proximity', grade: 'A',
    target: '/shipping/rtt/georeceiver/proximty/acme/locations',
    answer: { status: 404, code: 'route_not_found',
      says: ['Near to it is /shipping/rtt/georeceiver/proximity/{provider}/locations'] } },
  { id: 'DLV-E12', to: 'show-traceable-fix', mistake: 'the position of a traceable that is unknown', grade: 'B',
    why: 'It does not say whether the name is wrong or nothing was sent yet, as strangers guess names.',
    answer: { status: 404, code: 'position_not_found', says: ['No position of it is known'] } },
  { id: 'DLV-E13', to, mistake: 'null in place of the body', grade: 'A', bytes: 'null',
    answer: failed([''], 'must be an object') },
];
