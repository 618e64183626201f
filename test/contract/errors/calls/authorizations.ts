import type { WrongCall } from '../wrong-call.ts';

const to = 'authorize-shipment';
const user = '/shipment_information/receiver';
const failed = (code: string, ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code, says }
);

/** Authorizations and cancellations, whose errors have a form of their own without pointers. */
export const AUTHORIZATIONS: readonly WrongCall[] = [
  { id: 'AUT-01', to, mistake: 'no transport order', grade: 'A', drop: ['/transport_order_id'],
    answer: failed('invalid_shipment_information.transport_order_id', '/transport_order_id is mandatory') },
  { id: 'AUT-02', to, review: 'neighbours', mistake: 'transportOrderId', grade: 'A', drop: ['/transport_order_id'],
    set: { '/transportOrderId': 'x' },
    answer: failed('invalid_shipment_information.transport_order_id', 'rename transportOrderId, which is not a field here') },
  { id: 'AUT-03', to, review: 'enum', mistake: 'a direction that is none', grade: 'A', set: { '/direction': 'backward' },
    answer: failed('invalid_shipment_information.direction', '/direction must be one of "forward", "return", and is "backward"') },
  { id: 'AUT-04', to, review: 'enum', mistake: 'a direction in capitals', grade: 'A', set: { '/direction': 'FORWARD' },
    answer: failed('invalid_shipment_information.direction', 'did you mean "forward"?') },
  { id: 'AUT-05', to, review: 'pattern', mistake: 'a phone with a plus', grade: 'A', hides: ['5511888880000'],
    set: { [`${user}/phone/number`]: '+5511888880000' },
    answer: failed('invalid_phone_information.buyer', `${user}/phone/number must be digits only`) },
  { id: 'AUT-06', to, mistake: 'no last name', grade: 'A', drop: [`${user}/last_name`], hides: ['Souza'],
    answer: failed('invalid_user_information.buyer', `${user}/last_name is mandatory`) },
  { id: 'AUT-07', to, review: 'because', mistake: 'no postal code in Brazil', grade: 'A', drop: [`${user}/address/zip_code`],
    hides: ['Paulista'],
    answer: failed('invalid_zip_code_information.buyer', `${user}/address/zip_code is mandatory, because country.id is BR`) },
  { id: 'AUT-08', to, mistake: 'a latitude beyond the pole', grade: 'A', hides: ['123.456'],
    set: { [`${user}/address/geolocation/latitude`]: 123.456 },
    answer: failed('invalid_geolocation_information.buyer', `${user}/address/geolocation/latitude must not be greater than 90`) },
  { id: 'AUT-09', to, mistake: 'a weight as text', grade: 'A', set: { '/shipment_information/package/dimensions/weight': '1250' },
    answer: failed('invalid_package_information.dimensions', 'must be a number, not a string: leave out the quotes') },
  { id: 'AUT-10', to, review: 'plural', mistake: 'a package without items', grade: 'A', set: { '/shipment_information/package/items': [] },
    answer: failed('invalid_package_information.items', 'must have at least 1 item') },
  { id: 'AUT-11', to, mistake: 'another shipment in the path', grade: 'A', params: { shipment_id: '999' },
    answer: failed('invalid_shipment_information.id', 'The shipment of the path is not the id of the body') },
  { id: 'AUT-12', to, mistake: 'yes for test', grade: 'A', set: { '/test': 'yes' },
    answer: failed('invalid_shipment_information.test', '/test must be a boolean (true or false), not a string') },
  { id: 'AUT-13', to, mistake: 'three faults at once', grade: 'A', body: { direction: 'up' },
    answer: failed('invalid_shipment_information.id', '/id is mandatory', '/transport_order_id is mandatory', '/direction must be one of') },
  { id: 'AUT-14', to, review: 'json', mistake: 'half of an authorization', grade: 'A', bytes: '{"id":"412',
    answer: failed('invalid_request_information.json', 'A string is not closed (byte 11)') },
  { id: 'AUT-15', to, review: 'media', mistake: 'an authorization in XML', grade: 'A', headers: { 'content-type': 'application/xml' },
    answer: failed('invalid_request_information.content_type', 'Content-Type must be application/json') },
  { id: 'AUT-16', to, mistake: 'the keyword as a number', grade: 'A', set: { '/keyword': 4711 }, hides: ['4711'],
    answer: failed('invalid_shipment_information.keyword', '/keyword must be a string, not a number') },
  { id: 'AUT-17', to: 'cancel-shipment', mistake: 'the cancellation of what was never authorized', grade: 'A',
    answer: failed('invalid_shipment_information.id', 'No such shipment was authorized for this transport order') },
  { id: 'AUT-18', to: 'cancel-shipment', mistake: 'a reason as a list', grade: 'A', set: { '/reason': ['x'] },
    answer: failed('invalid_cancellation_information.reason', '/reason must be a string, not an array') },
  { id: 'AUT-19', to: 'cancel-shipment', mistake: 'a cancellation by DELETE', grade: 'A', method: 'DELETE',
    answer: { status: 405, code: 'method_not_allowed', says: ['This path takes POST, not DELETE'] } },
  { id: 'AUT-20', to: 'cancel-shipment', mistake: 'a list as a cancellation', grade: 'A', body: [],
    answer: failed('invalid_request_information.form', 'The body must be an object, not an array') },
  { id: 'AUT-21', to: 'list-authorization-calls', mistake: 'the calls of who authorizes without a token', grade: 'A',
    headers: { authorization: null },
    answer: { status: 401, code: 'invalid_token', says: ['audience authorizations'] } },
];
