import type { DeviceStep, PlatformDevice } from '../../../schemas/generated/types.ts';
import type { ListedDevice } from '../../kernel/devices.ts';
import { writtenLong } from '../../kernel/longs.ts';

/**
 * A device as the platform sees it. What is personal stays sealed: its owner alone is shown how it
 * calls the device.
 */
export function platformDevice(device: ListedDevice): PlatformDevice {
  return {
    id: device.device_id,
    client_id: device.client_id,
    owner_id: device.user_id,
    status: device.epoch === 3 ? 'inactive' : 'active',
    entity_type: device.entity_type,
    generation: device.generation,
    transport: { id: writtenLong(device.transport_id) },
    lifecycle: [
      stepAt('registered', device.date_created_ms),
      ...(device.started_at_ms === undefined ? [] : [stepAt('started', device.started_at_ms)]),
      ...(device.stopped_at_ms === undefined ? [] : [stepAt('stopped', device.stopped_at_ms)]),
    ],
  };
}

function stepAt(step: DeviceStep['step'], milliseconds: number): DeviceStep {
  return { step, at: new Date(milliseconds).toISOString() };
}
