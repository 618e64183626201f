import type { DeviceRegistered, EntityPointer, StoredDevice } from '../../../kernel/devices.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { RegisterDevice } from '../../../domain/device/device.ts';
import type { RegisterDeviceBody } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { deviceIdOf, entityHashOf } from '../../../domain/device/device-id.ts';
import { deviceResource } from '../../common/device-resource.ts';
import type { RequireMonitoring } from '../require-monitoring.ts';
import type { RaceConfig } from '../../common/decide-and-append.ts';
import { decideOnDevice, type DeviceDecisionPorts } from '../decide-on-device.ts';
import type { ClientId, ExternalEntityId } from '../../../kernel/ids.ts';
import { longOf } from '../../../kernel/longs.ts';

/**
 * `POST /shipping/rtt/devices`: 201 with a new device, 208 with the active one (interface, 6). With
 * `monitored`, a transport that is not monitored is refused first.
 */
export function registerDevice(
  config: RaceConfig, ports: DeviceDecisionPorts, monitored?: RequireMonitoring,
): Operation {
  return defineOperation('register-device', {
    errors: problemErrors,
    handle: async (call) =>
      await monitored?.(call.caller, longOf(call.body.transport.id))
        ?? handle(config, ports, call),
  });
}

async function handle(
  config: RaceConfig, ports: DeviceDecisionPorts, call: CallOf<'register-device'>,
): Promise<Answer> {
  const { entity_type, entity_id } = call.body.external_entity;
  const { clientId } = call.caller;
  let generation = 0;
  const outcome = await decideOnDevice(config, ports, call, {
    load: async () => {
      const pointer = await pointerOf(ports, clientId, entity_type, entity_id);
      generation = pointer?.generation ?? 0;
      return pointer && ports.states.load(clientId, pointer.device_id);
    },
    commandOn: () => commandOf(ports, call, generation + 1),
    claim: (event, claimId) => ports.states.claimRegistration(event as DeviceRegistered, claimId),
  });
  if (outcome.kind === 'missing') {
    return { kind: 'refusal', code: 'device_not_found', detail: 'No such device.' };
  }
  return {
    kind: 'answer',
    status: outcome.kind === 'changed' ? 201 : 208,
    body: await deviceResource(ports.personal, outcome.device),
  };
}

/** The newest device of an entity of this client, active or not. */
export async function newestOf(
  ports: DeviceDecisionPorts, clientId: ClientId, entityType: string, entityId: ExternalEntityId,
): Promise<StoredDevice | undefined> {
  const pointer = await pointerOf(ports, clientId, entityType, entityId);
  return pointer && ports.states.load(clientId, pointer.device_id);
}

/** Stays when the device has left the state store: generations of an entity only rise. */
function pointerOf(
  ports: DeviceDecisionPorts, clientId: ClientId, entityType: string, entityId: ExternalEntityId,
): Promise<EntityPointer | undefined> {
  return ports.states.loadEntity(
    clientId, entityHashOf(ports.keyed, { clientId, entityType, entityId }),
  );
}

function commandOf(
  ports: DeviceDecisionPorts, call: CallOf<'register-device'>, next_generation: number,
): RegisterDevice {
  const { body, caller: { clientId, userId } } = call;
  const { entity_type, entity_id } = body.external_entity;
  const entity_hash = entityHashOf(
    ports.keyed, { clientId, entityType: entity_type, entityId: entity_id },
  );
  return {
    type: 'RegisterDevice',
    client_id: clientId,
    user_id: userId,
    entity_type,
    entity_id,
    entity_hash,
    transport_id: longOf(body.transport.id),
    device_specs: knownSpecs(body.device_specs),
    country_id: call.query.country_id,
    next_generation,
    next_device_id: deviceIdOf(ports.keyed, entity_hash, next_generation),
    at_ms: ports.clock.nowMs(),
  };
}

/** Only the named specs are kept: the log holds our own, closed record. */
function knownSpecs(specs: RegisterDeviceBody['device_specs']): RegisterDevice['device_specs'] {
  const { device_type, brand, model, equipment_id } = specs ?? {};
  return {
    ...(device_type === undefined ? {} : { device_type }),
    ...(brand === undefined ? {} : { brand }),
    ...(model === undefined ? {} : { model }),
    ...(equipment_id === undefined ? {} : { equipment_id }),
  };
}
