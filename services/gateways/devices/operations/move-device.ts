import type {
  DeviceTrackingStarted, DeviceTrackingStopped, StoredDevice,
} from '../../../kernel/devices.ts';
import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { deviceResource } from '../../common/device-resource.ts';
import type { RaceConfig } from '../../common/decide-and-append.ts';
import { decideOnDevice, type DeviceDecisionPorts } from '../decide-on-device.ts';
import { newestOf } from './register-device.ts';

type Verb = 'start' | 'stop';
type MoveCall = Call<'bearer', undefined, 'country_id'>;
type Find = () => Promise<StoredDevice | undefined>;

const COMMANDS = { start: 'StartDeviceTracking', stop: 'StopDeviceTracking' } as const;

/**
 * Start and stop, by device id and by external entity: 200 when it happened, 208 when it was so
 * already, 404 when the caller has no such device (interface, 7 and 8).
 */
export function moveDeviceOperations(
  config: RaceConfig, ports: DeviceDecisionPorts,
): readonly Operation[] {
  return (['start', 'stop'] as const).flatMap((verb) => [
    defineOperation(`${verb}-device-tracking-by-entity`, {
      errors: problemErrors,
      handle: (call) => moveByEntity(config, ports, call, verb),
    }),
    defineOperation(`${verb}-device-tracking`, {
      errors: problemErrors,
      handle: (call) => move(config, ports, call, verb, () =>
        ports.states.load(call.caller.clientId, call.params.device_id)),
    }),
  ]);
}

/**
 * Both entity parameters are needed. Endpoints 7 and 8 list no 400 for them, so an entity that is
 * not named is an entity that is not found.
 */
async function moveByEntity(
  config: RaceConfig, ports: DeviceDecisionPorts, call: MoveCall, verb: Verb,
): Promise<Answer> {
  const { external_entity_id: id, external_entity_type: type } = call.query;
  if (!id || !type) return noEntity();
  return move(config, ports, call, verb, () =>
    newestOf(ports, call.caller.clientId, type, id));
}

async function move(
  config: RaceConfig, ports: DeviceDecisionPorts, call: MoveCall, verb: Verb, find: Find,
): Promise<Answer> {
  let stage: StoredDevice['epoch'] = 0;
  const outcome = await decideOnDevice(config, ports, call, {
    load: async () => {
      const device = await find();
      stage = device?.epoch ?? 0;
      return device;
    },
    commandOn: () => ({
      type: COMMANDS[verb],
      country_id: call.query.country_id,
      at_ms: ports.clock.nowMs(),
    }),
    claim: (event, claimId) => ports.states.claimTransition(
      event as DeviceTrackingStarted | DeviceTrackingStopped, stage, claimId,
    ),
  });
  if (outcome.kind === 'missing') return notFound();
  return {
    kind: 'answer',
    status: outcome.kind === 'changed' ? 200 : 208,
    body: await deviceResource(ports.personal, outcome.device),
  };
}

function noEntity(): Answer {
  return {
    kind: 'refusal', code: 'device_not_found',
    detail: 'Name the device by external_entity_id and external_entity_type, both in the query.',
  };
}

function notFound(): Answer {
  return {
    kind: 'refusal', code: 'device_not_found',
    detail: 'The caller has no such device, or it was stopped for good. POST'
      + ' /shipping/rtt/devices registers one, also for the same entity.',
  };
}
