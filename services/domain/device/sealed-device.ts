import { Unavailable } from '../../kernel/unavailable.ts';
import type { DeviceEvent, DeviceRegistered, StoredDevice } from '../../kernel/devices.ts';
import { deviceSubject, type Subject, type SubjectKeys } from '../../kernel/personal.ts';
import { joinPersonal, splitPersonal } from '../personal/split.ts';

/** Whose key a fact needs before it can be recorded; none when nothing of it is personal. */
export function subjectsOf(event: DeviceEvent): readonly Subject[] {
  return event.type === 'DeviceRegistered' ? [deviceSubject(event.device_id)] : [];
}

/** The fact as it goes into log and state store: how its owner calls the device is sealed. */
export function sealDeviceFact(keys: Pick<SubjectKeys, 'seal'>, event: DeviceEvent): DeviceEvent {
  return event.type === 'DeviceRegistered' ? sealRegistration(keys, event) : event;
}

/** The device as its owner registered it; of one that was erased, what is not personal. */
export function openDevice(
  keys: Pick<SubjectKeys, 'open' | 'isErased'>, device: StoredDevice,
): StoredDevice {
  const { personal: sealed, ...clear } = device;
  if (sealed === undefined) return device;
  const subject = deviceSubject(device.device_id);
  const personal = keys.open('DeviceRegistered', subject, sealed);
  if (personal === undefined && !keys.isErased(subject)) {
    throw new Unavailable('personal_key_unavailable', 'decide', `no key for device ${device.device_id}`);
  }
  return joinPersonal(clear, personal) as StoredDevice;
}

/** Whose key opens a device; none when nothing of it is sealed. */
export function sealedSubjectsOf({ device_id, personal }: StoredDevice): readonly Subject[] {
  return personal === undefined ? [] : [deviceSubject(device_id)];
}

function sealRegistration(
  keys: Pick<SubjectKeys, 'seal'>, event: DeviceRegistered,
): DeviceRegistered {
  const { entity_id, device_specs, ...rest } = event;
  const { clear, personal } = splitPersonal('DeviceRegistered', {
    ...(entity_id === undefined ? {} : { entity_id }), device_specs,
  });
  const sealed = keys.seal('DeviceRegistered', deviceSubject(event.device_id), personal);
  return { ...rest, ...clear, ...(sealed === undefined ? {} : { personal: sealed }) };
}
