import type { DeviceDirectory } from '../../../kernel/devices.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { platformDevice } from '../device-resource.ts';

/** `GET /platform/devices/{device_id}`: a device of any client, with the steps of its life. */
export function showPlatformDevice(directory: DeviceDirectory): Operation {
  return defineOperation('show-platform-device', {
    errors: problemErrors,
    async handle({ params }) {
      const device = await directory.find(params.device_id);
      if (device === undefined) {
        return { kind: 'refusal', code: 'device_not_found', detail: 'There is no such device.' };
      }
      return { kind: 'answer', status: 200, body: platformDevice(device) };
    },
  });
}
