import type { DeviceEvent } from '../../services/kernel/devices.ts';
import { placed } from './state-facts.ts';
import type { WholeEdge } from './whole-edge.ts';

/** Whose device a test registers, and how its owner calls it. */
export interface NamedDevice {
  readonly entityId: string;
  readonly entityType?: string;
  readonly clientId?: string;
}

type Parts = Pick<WholeEdge, 'admit' | 'call' | 'log' | 'states'>;

/** Lets a client call an operation. */
export function admitClient(at: Parts, id: string, clientId = '100000000000042'): void {
  at.admit(id, {
    caller: {
      clientId, userId: '7', providers: ['acme'],
      audience: id.includes('platform') ? 'platform' : 'rtt',
      scopes: [id.includes('platform') ? 'platform:read' : 'query:read', 'rtt:devices'],
    },
  });
}

/** Registers a device by a call; gives its id. */
export async function registerNamed(
  at: Parts, { entityId, entityType = 'acme_truck', clientId }: NamedDevice,
): Promise<string> {
  admitClient(at, 'register-device', clientId);
  const response = await at.call('register-device', {
    body: {
      external_entity: { entity_id: entityId, entity_type: entityType },
      transport: { id: 987_654 }, device_specs: { equipment_id: `equipment-of-${entityId}` },
    },
  });
  return (await response.json() as { id: string }).id;
}

/** Stops a device by a call, so that its entity may have another one. */
export async function stopNamed(at: Parts, device_id: string, clientId?: string): Promise<void> {
  admitClient(at, 'stop-device-tracking', clientId);
  await (await at.call('stop-device-tracking', { params: { device_id } })).text();
}

/** Does what the projector does with all that calls have appended. */
export async function projectDevices({ log, states }: Parts): Promise<void> {
  const facts = log.of('rtt.device-lifecycle.v1').map(({ value }) => value as DeviceEvent);
  await states.devices.apply(placed(facts));
}
