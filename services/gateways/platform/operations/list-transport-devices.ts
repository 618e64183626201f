import type { PlatformDevices } from '../../../../schemas/generated/types.ts';
import type { DeviceCursor, DeviceDirectory } from '../../../kernel/devices.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badCursor, badLimit, readLimit } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readParts, writeParts } from '../../common/read-page.ts';
import { platformDevice } from '../device-resource.ts';

/** `GET /platform/transports/{transport_id}/devices`: its devices, of all clients, by pages. */
export function listTransportDevices(directory: DeviceDirectory): Operation {
  return defineOperation('list-transport-devices', {
    errors: problemErrors,
    handle: (call) => handle(directory, call),
  });
}

async function handle(
  directory: DeviceDirectory, { params, query }: CallOf<'list-transport-devices'>,
): Promise<Answer> {
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const { cursor } = query;
  const after = cursor === undefined ? undefined : readDeviceCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const { devices, next } = await directory.ofTransport(params.transport_id, after, limit);
  const body: PlatformDevices = {
    devices: devices.map(platformDevice),
    ...(next === undefined
      ? {} : { next_cursor: writeParts([next.registered_at_ms, next.device_id]) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

function readDeviceCursor(text: string): DeviceCursor | undefined {
  const [at = '', deviceId = ''] = readParts(text, 2) ?? [];
  return /^\d{1,15}$/.test(at) && deviceId !== ''
    ? { registered_at_ms: Number(at), device_id: deviceId } : undefined;
}
