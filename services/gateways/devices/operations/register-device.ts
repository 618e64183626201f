import type { DeviceRegistered, StoredDevice } from '../../../kernel/devices.ts';
import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import type { RegisterDevice } from '../../../domain/device/device.ts';
import type { RegisterDeviceBody } from '../../../../schemas/generated/types.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { deviceIdOf, entityHashOf } from '../../../domain/device/device-id.ts';
import { deviceResource } from '../../common/device-resource.ts';
import type { RequireMonitoring } from '../require-monitoring.ts';
import { settle, type DevicePorts, type SettleConfig } from '../settle.ts';

/**
 * `POST /shipping/rtt/devices`: 201 with a new device, 208 with the active one (interface, 6). With
 * `monitored`, a transport that is not monitored is refused first.
 */
export function registerDevice(
  config: SettleConfig, ports: DevicePorts, monitored?: RequireMonitoring,
): Operation {
  return {
    ...fromCatalog('register-device'),
    errors: problemErrors,
    handle: async (call) =>
      await monitored?.(call, (call.body as RegisterDeviceBody).transport.id)
        ?? handle(config, ports, call),
  };
}

async function handle(config: SettleConfig, ports: DevicePorts, call: Call): Promise<Answer> {
  const body = call.body as RegisterDeviceBody;
  const { entity_type, entity_id } = body.external_entity;
  const clientId = call.caller?.clientId ?? '';
  const settled = await settle(config, ports, call, {
    load: () => newestOf(ports, clientId, entity_type, entity_id),
    commandOn: (device) => commandOf(ports, call, body, device),
    claim: (event, claimId) => ports.states.claimRegistration(event as DeviceRegistered, claimId),
  });
  if (settled.kind === 'missing') {
    return { kind: 'refusal', code: 'device_not_found', detail: 'No such device.' };
  }
  return {
    kind: 'answer',
    status: settled.kind === 'changed' ? 201 : 208,
    body: await deviceResource(ports.personal, settled.device),
  };
}

/** The newest device of an entity of this client, active or not. */
export async function newestOf(
  ports: DevicePorts, clientId: string, entityType: string, entityId: string,
): Promise<StoredDevice | undefined> {
  const pointer = await ports.states.loadEntity(
    clientId, entityHashOf(ports.keyed, { clientId, entityType, entityId }),
  );
  return pointer === undefined ? undefined : ports.states.load(clientId, pointer.device_id);
}

function commandOf(
  ports: DevicePorts, call: Call, body: RegisterDeviceBody, device: StoredDevice | undefined,
): RegisterDevice {
  const { entity_type, entity_id } = body.external_entity;
  const clientId = call.caller?.clientId ?? '';
  const entity_hash = entityHashOf(
    ports.keyed, { clientId, entityType: entity_type, entityId: entity_id },
  );
  return {
    type: 'RegisterDevice',
    client_id: clientId,
    user_id: call.caller?.userId ?? '',
    entity_type,
    entity_id,
    entity_hash,
    transport_id: body.transport.id,
    device_specs: knownSpecs(body.device_specs),
    country_id: call.query['country_id'] ?? '',
    next_device_id: deviceIdOf(ports.keyed, entity_hash, (device?.generation ?? 0) + 1),
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
