import type {
  DeviceEvent, DeviceRank, DeviceRegistered, RecordedDeviceSpecs, StoredDevice,
} from '../../kernel/devices.ts';
import type { SealedPersonal } from '../../kernel/personal.ts';
import { entityDigest } from './keys.ts';

/** A fact as the flat arguments that `scripts/merge-device.lua` lists. */
export function factArgs(event: DeviceEvent): readonly (string | number)[] {
  const common = [event.epoch, event.client_id, event.at_ms];
  if (event.type !== 'DeviceRegistered') return [...common, '', '', '', '', '', '', '', ''];
  return [
    ...common, event.user_id, entityNameOf(event),
    event.entity_type, event.entity_id ?? '', event.generation, event.transport_id,
    JSON.stringify(event.device_specs),
    event.personal === undefined ? '' : JSON.stringify(event.personal),
  ];
}

/** The name of a registered entity among the keys: its keyed hash, of old ones the digest. */
export function entityNameOf(
  { entity_hash, entity_type, entity_id }: Pick<
    DeviceRegistered, 'entity_hash' | 'entity_type' | 'entity_id'
  >,
): string {
  return entity_hash ?? entityDigest(entity_type, entity_id ?? '');
}

/**
 * A device from its hash. Undefined while only later facts are known: a device exists from its
 * registration on. `epoch` is the rank that the log knows, see `stop_unconfirmed`.
 */
export function toStoredDevice(
  deviceId: string, fields: ReadonlyMap<string, string>,
): StoredDevice | undefined {
  const created = fields.get('date_created_ms');
  if (created === undefined) return undefined;
  const stopFrom = fields.get('stop_from');
  const stopped = fields.get('stopped_at_ms');
  const entityId = fields.get('entity_id');
  const personal = fields.get('personal');
  return {
    device_id: deviceId,
    client_id: fields.get('owner') ?? '',
    user_id: fields.get('user_id') ?? '',
    entity_type: fields.get('entity_type') ?? '',
    ...(entityId === undefined ? {} : { entity_id: entityId }),
    generation: Number(fields.get('generation')),
    transport_id: Number(fields.get('transport_id')),
    device_specs: JSON.parse(fields.get('specs') ?? '{}') as RecordedDeviceSpecs,
    ...(personal === undefined ? {} : { personal: JSON.parse(personal) as SealedPersonal }),
    epoch: Number(stopFrom ?? fields.get('epoch')) as DeviceRank,
    ...(stopFrom === undefined ? {} : { stop_unconfirmed: true as const }),
    date_created_ms: Number(created),
    last_updated_ms: Number(stopped ?? fields.get('started_at_ms') ?? created),
    last_status_updated_ms: Number(stopped ?? created),
  };
}
