import { randomUUID } from 'node:crypto';
import type { LocationFix, LocationsBody } from '../../schemas/generated/types.ts';
import type { PlatformReply } from './platform-calls.ts';
import type { TestEnv, TestClient } from './platform.ts';

/** Which of the two gateways takes a call. */
export type Which = 0 | 1;

/** A provider as a caller: a client with its token, and the calls of its trade. */
export interface Actor {
  readonly client: TestClient;
  readonly token: string;
  /** Registers an entity, a new one unless named. */
  register(entityId?: string, change?: object, which?: Which): Promise<PlatformReply>;
  start(deviceId: string, which?: Which): Promise<PlatformReply>;
  stop(deviceId: string, which?: Which): Promise<PlatformReply>;
  send(deviceId: string, fixes?: readonly LocationFix[], which?: Which): Promise<PlatformReply>;
  /** The id of a new device that may send. */
  startedDevice(): Promise<string>;
}

/** Path of the locations endpoint of a provider. */
export function locationsPath(provider = 'acme', country = 'BR'): string {
  return `/shipping/rtt/georeceiver/${provider}/locations?country_id=${country}`;
}

/** Path of the registration endpoint. */
export const DEVICES_PATH = '/shipping/rtt/devices?country_id=BR';

/** Path of start or stop of a device. */
export function movePath(deviceId: string, verb: 'start' | 'stop', country = '?country_id=BR'): string {
  return `/shipping/rtt/devices/${encodeURIComponent(deviceId)}/${verb}_tracking${country}`;
}

/** The seconds of now. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** A fix as a device would send it; its time is a minute ago unless changed. */
export function aFix(change: Partial<LocationFix> = {}): LocationFix {
  return {
    timestamp: nowSeconds() - 60, country_id: 'BR', latitude: -23.5505, longitude: -46.6333,
    ...change,
  };
}

/** The body of a registration. */
export function deviceBody(entityId: string = randomUUID(), change: object = {}): object {
  return {
    external_entity: { entity_id: entityId, entity_type: 'acme_truck' },
    transport: { id: 4_711 },
    device_specs: { device_type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'E1' },
    ...change,
  };
}

/** The body of a post of locations. */
export function locationsBody(
  deviceId: string, fixes: readonly LocationFix[] = [aFix()],
): LocationsBody {
  return { device_id: deviceId, post_timestamp: nowSeconds(), locations: [...fixes] };
}

/** Makes a client with the rights of a provider, or those named, and gets its token. */
export async function newActor(
  platform: TestEnv, ...options: readonly string[]
): Promise<Actor> {
  const client = await platform.addClient('--provider', 'acme', ...options);
  const token = await platform.token(client);
  const actor: Actor = {
    client, token,
    register: (entityId, change, which) =>
      platform.call(DEVICES_PATH, { token, body: deviceBody(entityId, change) }, which),
    start: (deviceId, which) => platform.call(movePath(deviceId, 'start'), { token }, which),
    stop: (deviceId, which) => platform.call(movePath(deviceId, 'stop'), { token }, which),
    send: (deviceId, fixes, which) =>
      platform.call(locationsPath(), { token, body: locationsBody(deviceId, fixes) }, which),
    async startedDevice() {
      const id = String((await actor.register()).body['id']);
      const started = await actor.start(id);
      if (started.status !== 200) throw new Error(`Not started: ${started.text}`);
      return id;
    },
  };
  return actor;
}
