import type { DeviceStates } from '../../../kernel/devices.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { LastFixes } from '../../../kernel/fixes.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { devicePosition, type PositionView } from '../../common/position-resource.ts';
import { noPosition, noSuchDevice } from '../../common/refusals.ts';

/** What showing the position of a device needs from outside. */
export interface DevicePositionPorts extends PositionView {
  readonly devices: DeviceStates;
  readonly lastFixes: LastFixes;
}

/** `GET …/devices/{device_id}/last_position`: where a device was last, stopped or not. */
export function showDeviceFix(ports: DevicePositionPorts): Operation {
  return defineOperation('show-device-fix', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: DevicePositionPorts, { caller, params }: CallOf<'show-device-fix'>,
): Promise<Answer> {
  const { devices, lastFixes } = ports;
  const clientId = caller.clientId;
  const device = await devices.load(clientId, params.device_id);
  if (device === undefined) return noSuchDevice();
  const fix = await lastFixes.find(clientId, device.device_id);
  if (fix === undefined) return noPosition();
  return { kind: 'answer', status: 200, body: devicePosition(fix, ports) };
}
