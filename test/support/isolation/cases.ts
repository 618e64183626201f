import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { aNotification } from '../notifications.ts';
import {
  authorization, registration, tokenCall, type Probe, type Tenant, type Things,
} from './calls.ts';

/** How one operation is tried on things of another client. */
export interface IsolationCase {
  /** The call of a tenant about things; the same for things of others and for missing ones. */
  readonly probe: (as: Tenant, things: Things) => Probe;
  /** The status for a caller that does not own them. */
  readonly status: number;
  /** The status for their owner, which shows that they are there. */
  readonly owner: number;
  /** Why a foreign thing is not answered like a missing one; else it must be, to the byte. */
  readonly differs?: { readonly missing: number; readonly because: string };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

const get = (path: string, audience: Probe['audience'] = 'rtt'): Probe =>
  ({ method: 'GET', path, ...(audience === undefined ? {} : { audience }) });
const post = (path: string, body?: Probe['body'], audience: Probe['audience'] = 'rtt'): Probe => ({
  method: 'POST', path, ...(body === undefined ? {} : { body }),
  ...(audience === undefined ? {} : { audience }),
});

const fix = () =>
  ({ timestamp: nowSeconds(), country_id: 'BR', latitude: -23.5, longitude: -46.6 });
const isoNow = (): string => new Date().toISOString();
const event = () => ({ name: 'harsh_braking', start_date: isoNow(), end_date: isoNow() });

const moveBy = (verb: 'start' | 'stop'): IsolationCase['probe'] => (_as, { entity }) => post(
  `/shipping/rtt/devices/${verb}_tracking?country_id=BR&external_entity_type=truck`
  + `&external_entity_id=${entity}`,
);
const move = (verb: 'start' | 'stop'): IsolationCase['probe'] => (_as, { device }) =>
  post(`/shipping/rtt/devices/${device}/${verb}_tracking?country_id=BR`);
const shipmentPage = (what: string): IsolationCase['probe'] => (_as, { shipment }) =>
  get(`/shipping/tracking/shipments/${shipment}/${what}`, 'tracking-pull');

/** By the id of the operation; the suite fails for an operation that is missing here. */
export const CASES: Readonly<Record<string, IsolationCase>> = {
  // One's own transport order of the same name: another number than the other client's.
  'authorize-shipment': {
    probe: (_as, { transportOrder }) => authorization(transportOrder), status: 200, owner: 200,
  },
  'cancel-shipment': {
    probe: (_as, { transportOrder }) => post('/shipments/41/cancellation',
      { id: 41, transport_order_id: transportOrder }, 'authorizations'),
    status: 400, owner: 200,
  },
  'issue-token': {
    probe: (as, { owner }) => tokenCall(owner, as.secret, 'rtt'), status: 401, owner: 200,
  },
  'revoke-token': {
    probe: (_as, { token }) => post('/oauth/revoke', new URLSearchParams({ token }), 'revoke'),
    status: 200, owner: 200,
  },
  // One's own device of an entity of the same name.
  'register-device': {
    probe: (_as, { entity, transport }) => registration(entity, transport),
    status: 201, owner: 208,
  },
  'start-device-tracking': { probe: move('start'), status: 404, owner: 208 },
  'stop-device-tracking': { probe: move('stop'), status: 404, owner: 200 },
  'start-device-tracking-by-entity': { probe: moveBy('start'), status: 404, owner: 208 },
  'stop-device-tracking-by-entity': { probe: moveBy('stop'), status: 404, owner: 200 },
  'send-locations': {
    probe: ({ provider }, { device }) => post(
      `/shipping/rtt/georeceiver/${provider}/locations?country_id=BR`,
      { device_id: device, post_timestamp: nowSeconds(), locations: [fix()] },
    ),
    status: 403, owner: 202,
  },
  'send-telemetry-events': {
    probe: ({ provider }, { device }) => post(
      `/shipping/rtt/georeceiver/${provider}/telemetry/events?country_id=BR`,
      { device_id: device, post_timestamp: nowSeconds(), events: [event()] },
    ),
    status: 403, owner: 202,
  },
  'send-deferred-events': {
    probe: ({ provider }, { request, transport }) => post(
      `/shipping/rtt/georeceiver/${provider}/telemetry/events/deferred?country_id=BR`,
      {
        id: request, transport_id: transport, route_distance: 1.5, post_timestamp: nowSeconds(),
        events: [event()],
      },
    ),
    status: 400, owner: 202,
  },
  // Traceables are not registered: what is reported about one belongs to its sender.
  'send-delivery-locations': {
    probe: ({ provider }, { traceable }) => post(
      `/shipping/rtt/georeceiver/proximity/${provider}/locations?country_id=BR`,
      {
        device: { external_type: 'driver', external_id: 'd1' },
        traceables: [{ type: 'shipment', id: traceable }],
        post_timestamp: nowSeconds(), locations: [fix()],
      },
    ),
    status: 202, owner: 202,
  },
  'send-command': {
    probe: (_as, { provider, transport }) => post(
      `/platform/providers/${provider}/commands?country_id=BR`,
      {
        command: 'stop_tracking',
        transport: { id: transport, license_plate: 'ABC1D23', country_id: 'BR' },
      },
    ),
    status: 403, owner: 202,
  },
  'show-command': {
    probe: ({ provider }, { command }) =>
      get(`/platform/providers/${provider}/commands/${command}?country_id=BR`),
    status: 404, owner: 200,
  },
  'push-notifications': {
    probe: (_as, { shipment }) => post('/shipping/tracking/notifications',
      { ...aNotification(), tracking_number: shipment }, 'logistic-feed'),
    status: 202, owner: 202,
  },
  'pull-notifications': { probe: shipmentPage('notifications'), status: 404, owner: 200 },
  'show-journey': { probe: shipmentPage('journey'), status: 404, owner: 200 },
  'show-shipment-authorization': {
    probe: shipmentPage('authorization'), status: 404, owner: 200,
  },
  'show-ingest': {
    probe: (_as, { ingest }) => get(`/shipping/rtt/ingest/${ingest}?country_id=BR`),
    status: 404, owner: 200,
  },
  'show-tracking-ingest': {
    probe: (_as, { ingest }) => get(`/shipping/tracking/ingest/${ingest}`, 'logistic-feed'),
    status: 404, owner: 200,
  },
  'list-ingests': {
    probe: () => get('/shipping/rtt/ingest?country_id=BR'),
    status: 200, owner: 200,
  },
  'list-tracking-ingests': {
    probe: () => get('/shipping/tracking/ingest', 'logistic-feed'),
    status: 200, owner: 200,
  },
  'list-calls': {
    probe: () => get('/shipping/rtt/calls?country_id=BR'),
    status: 200, owner: 200,
  },
  'list-tracking-calls': {
    probe: () => get('/shipping/tracking/calls', 'logistic-feed'),
    status: 200, owner: 200,
  },
  'list-authorization-calls': {
    probe: () => get('/shipments/calls', 'authorizations'),
    status: 200, owner: 200,
  },
  'show-scores': {
    probe: () => get('/shipping/rtt/scores?country_id=BR'),
    status: 200, owner: 200,
  },
  'show-limits': {
    probe: () => get('/shipping/rtt/limits?country_id=BR'),
    status: 200, owner: 200,
  },
  'show-tracking-limits': {
    probe: () => get('/shipping/tracking/limits', 'logistic-feed'),
    status: 200, owner: 200,
  },
  'list-examinations': {
    probe: () => get('/shipping/rtt/examinations?country_id=BR'),
    status: 200, owner: 200,
  },
  'list-tracking-examinations': {
    probe: () => get('/shipping/tracking/examinations', 'logistic-feed'),
    status: 200, owner: 200,
  },
  'examine-party': {
    probe: (_as, { party }) => post(`/shipping/rtt/examinations/${party}?country_id=BR`),
    status: 404, owner: 202,
  },
  'examine-tracking-party': {
    probe: (_as, { party }) => post(
      `/shipping/tracking/examinations/${party}`, undefined, 'logistic-feed',
    ),
    status: 404, owner: 202,
  },
  // One's own devices of a name: to another client's it leads as little as to none.
  'list-entity-devices': {
    probe: (_as, { entity }) => (
      get(`/shipping/rtt/devices?country_id=BR&external_entity_id=${entity}`)
    ),
    status: 200, owner: 200,
  },
  'show-device': {
    probe: (_as, { device }) => get(`/shipping/rtt/devices/${device}?country_id=BR`),
    status: 404, owner: 200,
  },
  'show-device-fix': {
    probe: (_as, { device }) => get(`/shipping/rtt/devices/${device}/last_position?country_id=BR`),
    status: 404, owner: 200,
  },
  'show-device-track': {
    probe: (_as, { device }) => get(`/shipping/rtt/devices/${device}/track?country_id=BR`),
    status: 404, owner: 200,
  },
  'show-traceable-fix': {
    probe: (_as, { traceable }) =>
      get(`/shipping/rtt/traceables/shipment/${traceable}/last_position?country_id=BR`),
    status: 404, owner: 200,
  },
  // Nothing can be named: a caller that asks where another's device is gets an empty map.
  'list-fleet-fixes': {
    probe: (_as, { latitude }) => get('/shipping/rtt/fleet/last_positions?country_id=BR&bbox='
      + `10,${(latitude - 0.0004).toFixed(4)},11,${(latitude + 0.0004).toFixed(4)}`),
    status: 200, owner: 200,
  },
  // Nothing can be named here either: where another's device was is on no page of one's own.
  'list-past-fleet': {
    probe: () => get(`/shipping/rtt/live/fleet?country_id=BR&at=${isoNow()}`),
    status: 200, owner: 200,
  },
  // Nothing can be named; what a feed shows is tried in test/integration/live.
  'follow-fixes': {
    probe: () => get('/shipping/rtt/live/positions?country_id=BR'), status: 200, owner: 200,
  },
  'follow-facts': {
    probe: () => get('/shipping/rtt/live/facts?country_id=BR'), status: 200, owner: 200,
  },
  'follow-tracking-facts': {
    probe: () => get('/shipping/tracking/live/facts', 'tracking-pull'), status: 200, owner: 200,
  },
};

/** Operations that know no client: they answer every caller alike. */
export const WITHOUT_CLIENTS: readonly string[] = [
  'show-openapi', 'show-docs', 'show-interface', 'show-problem',
];

/** Operations over all clients, which only the platform may call. */
export const OF_THE_PLATFORM: readonly string[] = Object.values(OPERATIONS)
  .flatMap(({ id, audience }) => (audience === 'platform' ? [id] : []));
