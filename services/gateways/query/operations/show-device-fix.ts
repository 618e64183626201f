import type { Clock } from '../../../kernel/clock.ts';
import type { DeviceStates } from '../../../kernel/devices.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { LastFixes } from '../../../kernel/fixes.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { devicePosition } from '../../common/position-resource.ts';
import { noPosition, noSuchDevice } from '../../common/refusals.ts';

/** What showing the position of a device needs from outside. */
export interface DevicePositionPorts {
  readonly devices: DeviceStates;
  readonly lastFixes: LastFixes;
  readonly clock: Clock;
}

/** `GET …/devices/{device_id}/last_position`: where a device was last, stopped or not. */
export function showDeviceFix(ports: DevicePositionPorts): Operation {
  return defineOperation('show-device-fix', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  { devices, lastFixes, clock }: DevicePositionPorts, { caller, params }: CallOf<'show-device-fix'>,
): Promise<Answer> {
  const clientId = caller.clientId;
  const device = await devices.load(clientId, params.device_id);
  if (device === undefined) return noSuchDevice();
  const fix = await lastFixes.find(clientId, device.device_id);
  if (fix === undefined) return noPosition();
  return { kind: 'answer', status: 200, body: devicePosition(fix, clock.nowMs()) };
}
