import type { DeviceStates } from '../../../kernel/devices.ts';
import type { Operation } from '../../../kernel/http.ts';
import type { PersonalSeals } from '../../../kernel/personal.ts';
import { defineOperation } from '../../common/catalog.ts';
import { deviceResource } from '../../common/device-resource.ts';
import { problemErrors } from '../../common/problem.ts';
import { noSuchDevice } from '../../common/refusals.ts';

/** `GET …/devices/{device_id}`: a device of the caller, as 6, 7 and 8 answer it. */
export function showDevice(
  devices: DeviceStates, personal: Pick<PersonalSeals, 'forReading'>,
): Operation {
  return defineOperation('show-device', {
    errors: problemErrors,
    async handle(call) {
      const { caller, params } = call;
      const device = await devices.load(caller.clientId, params.device_id);
      if (device === undefined) return noSuchDevice();
      return { kind: 'answer', status: 200, body: await deviceResource(personal, device) };
    },
  });
}
