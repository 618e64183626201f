import type {
  DeviceTrackingStarted, DeviceTrackingStopped, StoredDevice,
} from '../../../kernel/devices.ts';
import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { deviceResource } from '../../common/device-resource.ts';
import { settle, type DevicePorts, type SettleConfig } from '../settle.ts';
import { newestOf } from './register-device.ts';

type Verb = 'start' | 'stop';
type Find = (call: Call) => Promise<StoredDevice | undefined>;

const COMMANDS = { start: 'StartDeviceTracking', stop: 'StopDeviceTracking' } as const;

/**
 * Start and stop, by device id and by external entity: 200 when it happened, 208 when it was so
 * already, 404 when the caller has no such device (interface, 7 and 8).
 */
export function moveDeviceOperations(
  config: SettleConfig, ports: DevicePorts,
): readonly Operation[] {
  const byId: Find = (call) =>
    ports.states.load(call.caller?.clientId ?? '', call.params['device_id'] ?? '');
  const byEntity: Find = (call) => newestOf(
    ports, call.caller?.clientId ?? '',
    call.query['external_entity_type'] ?? '', call.query['external_entity_id'] ?? '',
  );
  return (['start', 'stop'] as const).flatMap((verb) => [
    {
      ...fromCatalog(`${verb}-device-tracking-by-entity`),
      errors: problemErrors,
      handle: async (call) => entityFault(call) ?? move(config, ports, call, verb, byEntity),
    },
    {
      ...fromCatalog(`${verb}-device-tracking`),
      errors: problemErrors,
      handle: (call) => move(config, ports, call, verb, byId),
    },
  ] satisfies readonly Operation[]);
}

/**
 * Both entity parameters are needed. Endpoints 7 and 8 list no 400 for them, so an entity that is
 * not named is an entity that is not found.
 */
function entityFault(call: Call): Answer | undefined {
  const named = Boolean(call.query['external_entity_id'])
    && Boolean(call.query['external_entity_type']);
  return named ? undefined : notFound();
}

async function move(
  config: SettleConfig, ports: DevicePorts, call: Call, verb: Verb, find: Find,
): Promise<Answer> {
  let rank: StoredDevice['epoch'] = 0;
  const settled = await settle(config, ports, call, {
    load: async () => {
      const device = await find(call);
      rank = device?.epoch ?? 0;
      return device;
    },
    commandOn: () => ({
      type: COMMANDS[verb],
      country_id: call.query['country_id'] ?? '',
      at_ms: ports.clock.nowMs(),
    }),
    claim: (event, claimId) => ports.states.claimTransition(
      event as DeviceTrackingStarted | DeviceTrackingStopped, rank, claimId,
    ),
  });
  if (settled.kind === 'missing') return notFound();
  return {
    kind: 'answer',
    status: settled.kind === 'changed' ? 200 : 208,
    body: await deviceResource(ports.personal, settled.device),
  };
}

function notFound(): Answer {
  return {
    kind: 'refusal', code: 'device_not_found',
    detail: 'The caller has no such device that could be started or stopped.',
  };
}
