import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  accepted, KNOWN, refuse, type HeldDevice, type ReceiverAnswer, type ReceiverMemory,
  type ReceiverRoute, type RouteCall,
} from './receiver.ts';

const RTT = { form: 'problem', audience: 'rtt', denials: [403, 403], needsCountry: true } as const;
const DEVICES = '/shipping/rtt/devices';
const RECEIVER = '/shipping/rtt/georeceiver';

/** Endpoints 6 to 12, and the platform's own command API. */
export const RTT_ROUTES: readonly ReceiverRoute[] = [
  {
    ...RTT, pattern: new RegExp(`^POST ${DEVICES}$`), schema: 'RegisterDeviceBody',
    handle: register,
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${DEVICES}/(start|stop)_tracking$`),
    handle: moveByEntity,
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${DEVICES}/([^/]+)/(start|stop)_tracking$`),
    handle: ({ params: [id = '', verb = ''], memory }) => move(memory.devices.get(id), verb),
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${RECEIVER}/proximity/([^/]+)/locations$`), provider: true,
    schema: 'DeliveryLocationsBody', handle: deliver,
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${RECEIVER}/([^/]+)/locations$`), provider: true,
    schema: 'LocationsBody', handle: (call) => withDevice(call, () => accepted()),
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${RECEIVER}/([^/]+)/telemetry/events$`), provider: true,
    schema: 'TelemetryEventsBody',
    handle: (call) => withDevice(call, () => accepted({ status: 200, message: 'success' })),
  },
  {
    ...RTT, pattern: new RegExp(`^POST ${RECEIVER}/([^/]+)/telemetry/events/deferred$`),
    provider: true, schema: 'DeferredEventsBody', handle: answerCommand,
  },
  {
    ...RTT, pattern: /^POST \/platform\/providers\/([^/]+)\/commands$/,
    schema: 'ProviderCommandBody', handle: issueCommand,
  },
  {
    ...RTT, pattern: /^GET \/platform\/providers\/[^/]+\/commands\/(.+)$/,
    handle: ({ params, memory }) =>
      [...memory.asked.values()].some(({ commandId }) => commandId === params[0])
        ? { status: 200, body: {} }
        : refuse('problem', 404, 'command_not_found'),
  },
];

function register({ body, memory }: RouteCall): ReceiverAnswer {
  const { external_entity, transport, device_specs } = body as {
    external_entity: { entity_id: string; entity_type: string };
    transport: unknown;
    device_specs?: { device_type?: string };
  };
  const key = `${external_entity.entity_type}\0${external_entity.entity_id}`;
  const known = memory.newest.get(key);
  if (known !== undefined && known.tracking !== 'stopped') {
    return { status: 208, body: known.resource };
  }
  const { device_type: type, ...specs } = device_specs ?? {};
  const date = new Date().toISOString();
  const id = randomUUID();
  const device: HeldDevice = {
    id,
    tracking: 'registered',
    resource: {
      id, owner_id: KNOWN.clientId, client_id: Number(KNOWN.clientId), status: 'active',
      external_entity, transport,
      ...(device_specs === undefined ? {} : { device_specs: { type, ...specs } }),
      history: {
        date_created: date, last_updated: date, last_status_updated: date,
        last_status_update: date,
      },
    },
  };
  memory.devices.set(id, device);
  memory.newest.set(key, device);
  return { status: 201, body: { ...device.resource } };
}

function moveByEntity({ params, query, memory }: RouteCall): ReceiverAnswer {
  const { external_entity_id: id, external_entity_type: type } = query;
  if (id === undefined || type === undefined) return refuse('problem', 400, 'missing_parameter');
  return move(memory.newest.get(`${type}\0${id}`), params[0] ?? '');
}

function move(device: HeldDevice | undefined, verb: string): ReceiverAnswer {
  const isStart = verb === 'start';
  if (device === undefined || (isStart && device.tracking === 'stopped')) {
    return refuse('problem', 404, 'device_not_found');
  }
  const wanted = isStart ? 'started' : 'stopped';
  const status = device.tracking === wanted ? 208 : 200;
  device.tracking = wanted;
  if (!isStart) device.resource.status = 'inactive';
  return { status, body: { ...device.resource } };
}

function withDevice({ body, memory }: RouteCall, handle: () => ReceiverAnswer): ReceiverAnswer {
  const device = memory.devices.get(String(body['device_id']));
  if (device === undefined) return refuse('problem', 403, 'device_not_allowed');
  if (device.tracking === 'registered') return refuse('problem', 403, 'tracking_not_started');
  if (device.tracking === 'stopped') return refuse('problem', 403, 'tracking_stopped');
  return handle();
}

function deliver({ body }: RouteCall): ReceiverAnswer {
  const locations = body['locations'] as readonly Readonly<Record<string, unknown>>[];
  for (const location of locations) {
    for (const name of ['device', 'traceables']) {
      const both = [body[name], location[name]].filter((each) => each !== undefined);
      if (both.length === 0) return refuse('problem', 400, 'required');
      if (both.length === 2 && !isDeepStrictEqual(both[0], both[1])) {
        return refuse('problem', 400, 'contradiction');
      }
    }
  }
  return accepted();
}

function issueCommand({ body, memory }: RouteCall): ReceiverAnswer {
  const commandId = randomUUID();
  const { id: transport } = body['transport'] as { id: number };
  memory.asked.set(String(body['id']), { commandId, transport });
  return { status: 202, body: { status: 202, message: 'Accepted', command_id: commandId } };
}

function answerCommand({ body, memory }: RouteCall): ReceiverAnswer {
  const command = commandOf(memory, body);
  if (command?.transport !== body['transport_id']) {
    return refuse('problem', 400, 'unknown_command');
  }
  return accepted({ status: 200, message: 'success' });
}

function commandOf(memory: ReceiverMemory, body: RouteCall['body']) {
  return memory.asked.get(String(body['id']));
}
