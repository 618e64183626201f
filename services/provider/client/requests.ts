import { writtenLong, type Long } from '../../kernel/longs.ts';
import type {
  AuthorizationRequest, CancellationRequest, DeferredEventsBody, DeliveryLocationsBody,
  LocationFix, LocationsBody, Notification, RegisterDeviceBody, TelemetryEvent,
  TelemetryEventsBody,
} from '../../../schemas/generated/types.ts';
import type { OutgoingRequest } from '../ports.ts';

/** Where the provider's calls go: its name in paths and the country of the query. */
export interface RequestConfig {
  readonly provider: string;
  readonly country_id: string;
}

/** What is registered for one device. */
export interface RegistrationCall {
  readonly entity_id: string;
  readonly transport_id: Long;
  readonly model: string;
}

/** How a device is named: by its id, or by its external entity. */
export type RegisteredDevice = { readonly device_id: string } | { readonly entity_id: string };

/** Builds the calls of endpoints 1, 4 and 6 to 12 (interface, Endpoints). */
export function createRequests(config: RequestConfig) {
  const query = `?country_id=${encodeURIComponent(config.country_id)}`;
  const devices = '/shipping/rtt/devices';
  const receiver = `/shipping/rtt/georeceiver/${encodeURIComponent(config.provider)}`;

  const entity_type = `${config.provider}-unit`;

  function post(path: string, body?: object): OutgoingRequest {
    if (body === undefined) return { method: 'POST', path: path + query, headers: {} };
    return json(path + query, body);
  }

  /** By device id, or by the entity that it was registered for: the interface allows either. */
  function move(verb: 'start' | 'stop', device: RegisteredDevice): OutgoingRequest {
    if ('device_id' in device) {
      return post(`${devices}/${encodeURIComponent(device.device_id)}/${verb}_tracking`);
    }
    const entity = new URLSearchParams({
      external_entity_id: device.entity_id, external_entity_type: entity_type,
    });
    const path = `${devices}/${verb}_tracking${query}&${entity.toString()}`;
    return { method: 'POST', path, headers: {} };
  }

  return {
    register(registration: RegistrationCall): OutgoingRequest {
      const body: RegisterDeviceBody = {
        external_entity: {
          entity_id: registration.entity_id, entity_type,
        },
        transport: { id: writtenLong(registration.transport_id) },
        device_specs: { device_type: 'GPS', brand: 'rastro-replay', model: registration.model },
      };
      return post(devices, body);
    },
    start: (device: RegisteredDevice): OutgoingRequest => move('start', device),
    stop: (device: RegisteredDevice): OutgoingRequest => move('stop', device),
    locations(device_id: string, fixes: LocationFix[], nowMs: number): OutgoingRequest {
      const body: LocationsBody = {
        device_id, post_timestamp: Math.floor(nowMs / 1000), locations: fixes,
      };
      return post(`${receiver}/locations`, body);
    },
    events(device_id: string, events: TelemetryEvent[], nowMs: number): OutgoingRequest {
      const post_timestamp = Math.floor(nowMs / 1000);
      const body: TelemetryEventsBody = { device_id, post_timestamp, events };
      return post(`${receiver}/telemetry/events`, body);
    },
    deferredEvents(body: DeferredEventsBody): OutgoingRequest {
      return post(`${receiver}/telemetry/events/deferred`, body);
    },
    deliveries(body: DeliveryLocationsBody): OutgoingRequest {
      const name = encodeURIComponent(config.provider);
      return post(`/shipping/rtt/georeceiver/proximity/${name}/locations`, body);
    },
    authorize: (body: AuthorizationRequest): OutgoingRequest =>
      json(`/shipments/${encodeURIComponent(body.id)}/authorization`, body),
    cancel: (body: CancellationRequest): OutgoingRequest =>
      json(`/shipments/${encodeURIComponent(body.id)}/cancellation`, body),
    notify: (notifications: readonly Notification[]): OutgoingRequest =>
      json('/shipping/tracking/notifications', notifications),
  };
}

function json(path: string, body: object): OutgoingRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** The calls that {@link createRequests} builds. */
export type Requests = ReturnType<typeof createRequests>;
