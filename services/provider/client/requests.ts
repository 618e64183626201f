import type {
  DeferredEventsBody, DeliveryLocationsBody, LocationFix, LocationsBody, RegisterDeviceBody,
  TelemetryEvent, TelemetryEventsBody,
} from '../../../schemas/generated/types.ts';
import type { OutgoingRequest } from '../ports.ts';

/** Where the provider's calls go: its name in paths and the country of the query. */
export interface RequestConfig {
  readonly provider: string;
  readonly country_id: string;
}

/** What is registered for one device. */
export interface Registration {
  readonly entity_id: string;
  readonly transport_id: number;
  readonly model: string;
}

/** Builds the calls of endpoints 6 to 12 (interface, Endpoints). */
export function createRequests(config: RequestConfig) {
  const query = `?country_id=${encodeURIComponent(config.country_id)}`;
  const devices = '/shipping/rtt/devices';
  const receiver = `/shipping/rtt/georeceiver/${encodeURIComponent(config.provider)}`;

  function post(path: string, body?: object): OutgoingRequest {
    if (body === undefined) return { method: 'POST', path: path + query, headers: {} };
    return {
      method: 'POST',
      path: path + query,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  return {
    register(registration: Registration): OutgoingRequest {
      const body: RegisterDeviceBody = {
        external_entity: {
          entity_id: registration.entity_id,
          entity_type: `${config.provider}-unit`,
        },
        transport: { id: registration.transport_id },
        device_specs: { device_type: 'GPS', brand: 'rastro-replay', model: registration.model },
      };
      return post(devices, body);
    },
    start(device_id: string): OutgoingRequest {
      return post(`${devices}/${encodeURIComponent(device_id)}/start_tracking`);
    },
    stop(device_id: string): OutgoingRequest {
      return post(`${devices}/${encodeURIComponent(device_id)}/stop_tracking`);
    },
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
  };
}

/** The calls that {@link createRequests} builds. */
export type Requests = ReturnType<typeof createRequests>;
