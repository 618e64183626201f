import type { StoredDevice } from '../../kernel/devices.ts';
import type { PersonalSeals } from '../../kernel/personal.ts';
import { openDevice, sealedSubjectsOf } from '../../domain/device/sealed-device.ts';
import type { DeviceResource } from '../../../schemas/generated/types.ts';
import { writtenLong } from '../../kernel/longs.ts';

/** Replaces the name of an entity that was erased. */
const ERASED = 'erased';

type Reading = Pick<PersonalSeals, 'forReading'>;

/**
 * The device as its owner sees it (interface, Device resource; decisions.md, one form on output).
 * Rejects with `Unavailable` `personal_key_unavailable` when it cannot be opened, and with those of
 * keys.
 */
export async function deviceResource(
  personal: Reading, stored: StoredDevice,
): Promise<DeviceResource> {
  const [resource] = await deviceResources(personal, [stored]);
  return resource as DeviceResource;
}

/** The same for some devices, whose keys are read together. */
export async function deviceResources(
  personal: Reading, stored: readonly StoredDevice[],
): Promise<readonly DeviceResource[]> {
  const keys = await personal.forReading(stored.flatMap(sealedSubjectsOf));
  return stored.map((device) => resourceOf(openDevice(keys, device)));
}

function resourceOf(device: StoredDevice): DeviceResource {
  const { device_type, ...specs } = device.device_specs;
  const statusUpdated = isoDate(device.last_status_updated_ms);
  return {
    id: device.device_id,
    owner_id: device.user_id,
    client_id: Number(device.client_id),
    status: device.epoch === 3 ? 'inactive' : 'active',
    external_entity: { entity_id: device.entity_id ?? ERASED, entity_type: device.entity_type },
    transport: { id: writtenLong(device.transport_id) },
    device_specs: { ...(device_type === undefined ? {} : { type: device_type }), ...specs },
    history: {
      date_created: isoDate(device.date_created_ms),
      last_updated: isoDate(device.last_updated_ms),
      last_status_updated: statusUpdated,
      last_status_update: statusUpdated,
    },
  };
}

function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
