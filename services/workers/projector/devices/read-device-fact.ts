import type { DeviceEvent } from '../../../kernel/devices.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import { all, isFields, isText, isWhole, parseFields, type Fields } from '../../../kernel/json-fields.ts';

/** The fact about a device in a record; undefined when it lacks what it must have. */
export function readDeviceFact(record: LogRecord): DeviceEvent | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined || !isCommon(fields)) return undefined;
  switch (fields['type']) {
    case 'DeviceRegistered':
      return isRegistration(fields) ? fields as unknown as DeviceEvent : undefined;
    case 'DeviceTrackingStarted':
      return fields['epoch'] === 2 ? fields as unknown as DeviceEvent : undefined;
    case 'DeviceTrackingStopped':
      return fields['epoch'] === 3 ? fields as unknown as DeviceEvent : undefined;
    default:
      return undefined;
  }
}

function isCommon(fields: Fields): boolean {
  return all(fields, ['device_id', 'client_id'], isText) && isWhole(fields['at_ms']);
}

function isRegistration(fields: Fields): boolean {
  return fields['epoch'] === 1
    && all(fields, ['user_id', 'entity_type', 'entity_hash'], isText)
    && all(fields, ['generation', 'transport_id'], isWhole)
    && isFields(fields['device_specs']);
}
