import type {
  Claim, DeviceState, EntityState, Registration,
} from '../domain/device/projection.ts';
import type { DeviceStage, RecordedDeviceSpecs } from '../kernel/devices.ts';
import type { SealedPersonal } from '../kernel/personal.ts';
import type { StateFields } from '../kernel/state-store.ts';
import { jsonIn, numberIn, type NextEntry } from './entries.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import { longOf } from '../kernel/longs.ts';

type Fields = NextEntry['fields'];

/** A device as fields. `admit.lua` reads `owner`, `epoch` and `transport_id`. */
export function deviceFields(state: DeviceState): Fields {
  const { registration, claim } = state;
  return {
    owner: state.owner,
    epoch: state.stage,
    stop_from: state.stop_from,
    date_created_ms: state.date_created_ms,
    started_at_ms: state.started_at_ms,
    stopped_at_ms: state.stopped_at_ms,
    ...(registration === undefined ? {} : registrationFields(registration)),
    ...claimFields(claim),
    pending_epoch: claim?.stage,
  };
}

/** When a device leaves: 400 days after a stop that the log knows; until then it stays. */
export function deviceExpiry(
  { stage, stop_from, stopped_at_ms }: DeviceState, nowMs: number,
): Pick<NextEntry, 'expireAtMs'> {
  if (stage !== 3 || stop_from !== undefined || stopped_at_ms === undefined) return {};
  return { expireAtMs: expiryOf(stopped_at_ms, HISTORY_MS, nowMs) };
}

/** A device from its fields; undefined when nothing is known of it. */
export function toDeviceState(fields: StateFields): DeviceState | undefined {
  const owner = fields.get('owner');
  if (owner === undefined) return undefined;
  const stopFrom = numberIn(fields, 'stop_from');
  return {
    owner,
    stage: numberIn(fields, 'epoch') as DeviceStage,
    ...(stopFrom === undefined ? {} : { stop_from: stopFrom as DeviceStage }),
    ...registrationIn(fields),
    ...timeIn(fields, 'started_at_ms'),
    ...timeIn(fields, 'stopped_at_ms'),
    ...claimIn(fields, 'pending_epoch'),
  };
}

/** An entity as fields. */
export function entityFields({ newest, claim }: EntityState): Fields {
  return { ...newest, ...claimFields(claim), pending_generation: claim?.stage };
}

/** An entity from its fields. */
export function toEntityState(fields: StateFields): EntityState {
  const deviceId = fields.get('device_id');
  const generation = numberIn(fields, 'generation');
  return {
    ...(deviceId === undefined || generation === undefined
      ? {} : { newest: { generation, device_id: deviceId } }),
    ...claimIn(fields, 'pending_generation'),
  };
}

function registrationFields(registration: Registration): Fields {
  const { device_specs, personal, ...rest } = registration;
  return {
    ...rest,
    specs: JSON.stringify(device_specs),
    personal: personal && JSON.stringify(personal),
  };
}

function registrationIn(
  fields: StateFields,
): Pick<DeviceState, 'registration' | 'date_created_ms'> {
  const createdMs = numberIn(fields, 'date_created_ms');
  if (createdMs === undefined) return {};
  const entityId = fields.get('entity_id');
  const personal = jsonIn<SealedPersonal>(fields, 'personal');
  return {
    date_created_ms: createdMs,
    registration: {
      user_id: fields.get('user_id') ?? '',
      entity_type: fields.get('entity_type') ?? '',
      ...(entityId === undefined ? {} : { entity_id: entityId }),
      generation: numberIn(fields, 'generation') ?? 0,
      transport_id: longOf(fields.get('transport_id') ?? 0),
      device_specs: jsonIn<RecordedDeviceSpecs>(fields, 'specs') ?? {},
      ...(personal === undefined ? {} : { personal }),
    },
  };
}

function timeIn<Name extends string>(
  fields: StateFields, name: Name,
): { readonly [name in Name]?: number } {
  const atMs = numberIn(fields, name);
  return (atMs === undefined ? {} : { [name]: atMs }) as { readonly [name in Name]?: number };
}

function claimFields(claim: Claim | undefined): Fields {
  return { pending: claim?.id, pending_until_ms: claim?.until_ms };
}

function claimIn(fields: StateFields, stageField: string): { readonly claim?: Claim } {
  const id = fields.get('pending');
  if (id === undefined) return {};
  return {
    claim: {
      id,
      stage: numberIn(fields, stageField) ?? 0,
      until_ms: numberIn(fields, 'pending_until_ms') ?? 0,
    },
  };
}
