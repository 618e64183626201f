import type { WrongCall } from '../wrong-call.ts';

const to = 'send-locations';
const path = '/shipping/rtt/georeceiver/acme/locations';
const template = '/shipping/rtt/georeceiver/{provider}/locations';
const unknown = (...says: readonly string[]): WrongCall['answer'] => (
  { status: 404, code: 'route_not_found', says }
);
const method = (...says: readonly string[]): WrongCall['answer'] => (
  { status: 405, code: 'method_not_allowed', says }
);

/** Calls to paths and methods that are none. */
export const ROUTES: readonly WrongCall[] = [
  { id: 'RTE-01', to, review: 'route', mistake: 'a slash at the end', grade: 'A', target: `${path}/?country_id=BR`,
    answer: unknown(`Near to it is ${template}: leave out the slash at the end`) },
  { id: 'RTE-02', to, review: 'route', mistake: 'two slashes', grade: 'A', target: `//shipping/rtt//georeceiver/acme/locations`,
    answer: unknown(`Near to it is ${template}: write one slash where there are two`) },
  { id: 'RTE-03', to, review: 'route', mistake: 'GET for POST', grade: 'A', method: 'GET',
    answer: method('This path takes POST, not GET') },
  { id: 'RTE-04', to, review: 'route', mistake: 'PUT for POST', grade: 'A', method: 'PUT',
    answer: method('This path takes POST, not PUT') },
  { id: 'RTE-05', to: 'show-device', review: 'route', mistake: 'DELETE of a device', grade: 'A', method: 'DELETE',
    answer: method('This path takes GET and HEAD, not DELETE') },
  { id: 'RTE-06', to, review: 'route', mistake: 'a version in front', grade: 'A', target: `/v1${path}`,
    answer: unknown(`Near to it is ${template}: leave out the version`) },
  { id: 'RTE-07', to: 'start-device-tracking', review: 'route', mistake: 'start-tracking', grade: 'A',
    target: '/shipping/rtt/devices/abc/start-tracking?country_id=BR',
    answer: unknown('Near to it is /shipping/rtt/devices/{device_id}/start_tracking') },
  { id: 'RTE-08', to, review: 'route', mistake: 'capitals in the path', grade: 'A', target: '/Shipping/RTT/georeceiver/acme/locations',
    answer: unknown(`Near to it is ${template}: write it in lower case`) },
  { id: 'RTE-09', to, review: 'route', mistake: 'location for locations', grade: 'A', target: '/shipping/rtt/georeceiver/acme/location',
    answer: unknown(`Near to it is ${template}`) },
  { id: 'RTE-10', to: 'push-notifications', review: 'route', mistake: 'notification for notifications', grade: 'A',
    target: '/shipping/tracking/notification',
    answer: unknown('Near to it is /shipping/tracking/notifications') },
  { id: 'RTE-11', to: 'issue-token', review: 'route', mistake: 'tokens for token', grade: 'A', target: '/oauth/tokens',
    answer: unknown('Near to it is /oauth/token') },
  { id: 'RTE-12', to, mistake: 'the first part of the path left out', grade: 'A', target: '/rtt/georeceiver/acme/locations',
    answer: unknown(`Near to it is ${template}`) },
  { id: 'RTE-13', to, mistake: 'a base path of another gateway in front', grade: 'A', target: `/api${path}`,
    answer: unknown(`Near to it is ${template}`) },
  { id: 'RTE-14', to, mistake: 'the provider left out', grade: 'A', target: '/shipping/rtt/georeceiver/locations',
    answer: unknown(`Near to it is ${template}`) },
  { id: 'RTE-15', to, mistake: 'a path that is near to none', grade: 'A', target: '/wp-login.php',
    answer: unknown('There is no operation at this path and method', 'GET /docs') },
  { id: 'RTE-16', to, mistake: 'the root of a gateway without documents', grade: 'A', target: '/', method: 'GET',
    answer: unknown('There is no operation at this path and method', 'GET /docs') },
  { id: 'RTE-17', to, mistake: 'a wrong percent sign', grade: 'A', target: '/shipping/rtt/georeceiver/%zz/locations?country_id=BR',
    answer: { status: 400, code: 'invalid_parameter', says: ['The path is not correctly percent-encoded'] } },
  { id: 'RTE-18', to, mistake: 'a line break at the end of the path', grade: 'A', target: `${path}%0A`,
    answer: unknown(`Near to it is ${template}`) },
  { id: 'RTE-19', to: 'show-device', mistake: 'PATCH of a device', grade: 'A', method: 'PATCH',
    answer: method('This path takes GET and HEAD, not PATCH') },
  { id: 'RTE-20', to: 'show-docs', mistake: 'POST to the documentation', grade: 'A', method: 'POST',
    answer: method('This path takes GET and HEAD, not POST') },
  { id: 'RTE-23', to: 'show-interface', mistake: 'POST to the interface', grade: 'A', method: 'POST',
    answer: method('This path takes GET and HEAD, not POST') },
  { id: 'RTE-21', to: 'show-openapi', mistake: 'openapi.yaml', grade: 'A', target: '/openapi.yaml',
    answer: unknown('There is no operation at this path and method', 'GET /docs') },
  { id: 'RTE-22', to: 'show-problem', mistake: 'a code that is none', grade: 'A', target: '/problems/validation_fail',
    answer: unknown('There is no such error code', 'Did you mean validation_failed?') },
];
