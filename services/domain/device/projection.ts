import type {
  DeviceEvent, DeviceStage, DeviceRegistered, EntityPointer, StoredDevice,
} from '../../kernel/devices.ts';
import type { DeviceId } from '../../kernel/ids.ts';

/** What a registration says of a device. Its time is kept beside it, as the earliest. */
export type Registration = Pick<
  DeviceRegistered,
  'user_id' | 'entity_type' | 'entity_id' | 'generation' | 'transport_id' | 'device_specs' | 'personal'
>;

/** The right to append one fact. It ends with its lease, or when a fact of its stage is known. */
export interface Claim {
  readonly id: string;
  /** The stage, or for an entity the generation, of the fact that is claimed. */
  readonly stage: number;
  readonly until_ms: number;
}

/** A device as its facts make it, with what is claimed about it. */
export interface DeviceState {
  readonly owner: string;
  /** What admission sees. */
  readonly stage: DeviceStage;
  /** Of a stop that denies already but is not in the log: the stage that the log knows. */
  readonly stop_from?: DeviceStage;
  /** Missing while only later facts are known. */
  readonly registration?: Registration;
  readonly date_created_ms?: number;
  readonly started_at_ms?: number;
  readonly stopped_at_ms?: number;
  readonly claim?: Claim;
}

/** An external entity: its newest device, and what is claimed about its next one. */
export interface EntityState {
  readonly newest?: EntityPointer;
  readonly claim?: Claim;
}

/**
 * Folds a fact into its device. Every field is a maximum or a minimum over the facts seen, so any
 * order and any repetition of them ends in the same state.
 */
export function foldDevice(kept: DeviceState | undefined, event: DeviceEvent): DeviceState {
  const known = kept ?? { owner: event.client_id, stage: event.epoch };
  const { claim, stop_from, ...rest } = withTimes(known, event);
  const isEnded = claim !== undefined && claim.stage <= event.epoch;
  return {
    ...rest,
    stage: highest(known.stage, event.epoch),
    ...(stop_from === undefined || event.epoch === 3
      ? {} : { stop_from: highest(stop_from, event.epoch) }),
    ...(claim === undefined || isEnded ? {} : { claim }),
  };
}

/** Folds a registration into its entity: the highest generation is its device. */
export function foldEntity(kept: EntityState | undefined, event: DeviceRegistered): EntityState {
  const { generation, device_id } = event;
  const isNewer = generation > (kept?.newest?.generation ?? 0);
  const newest = isNewer ? { generation, device_id } : kept?.newest;
  const claim = kept?.claim;
  return {
    ...(newest === undefined ? {} : { newest }),
    ...(claim === undefined || claim.stage <= generation ? {} : { claim }),
  };
}

/**
 * A device as callers see it. Undefined while only later facts are known: a device exists from its
 * registration on. `epoch` is the stage that the log knows, see `stop_unconfirmed`.
 */
export function deviceOf(
  deviceId: DeviceId, state: DeviceState | undefined,
): StoredDevice | undefined {
  const { registration, date_created_ms: createdMs } = state ?? {};
  if (state === undefined) return undefined;
  if (registration === undefined || createdMs === undefined) return undefined;
  const { stop_from, stage, started_at_ms, stopped_at_ms } = state;
  return {
    device_id: deviceId,
    client_id: state.owner,
    ...registration,
    epoch: stop_from ?? stage,
    ...(stop_from === undefined ? {} : { stop_unconfirmed: true as const }),
    date_created_ms: createdMs,
    last_updated_ms: stopped_at_ms ?? started_at_ms ?? createdMs,
    last_status_updated_ms: stopped_at_ms ?? createdMs,
  };
}

/** The state of a device as callers see it. */
export function stateOf(device: StoredDevice): DeviceState {
  const { epoch, stop_unconfirmed, date_created_ms, last_updated_ms } = device;
  return {
    owner: device.client_id,
    stage: stop_unconfirmed === true ? 3 : epoch,
    ...(stop_unconfirmed === true ? { stop_from: epoch } : {}),
    registration: registrationIn(device),
    date_created_ms,
    ...(epoch === 2 ? { started_at_ms: last_updated_ms } : {}),
    ...(epoch === 3 ? { stopped_at_ms: last_updated_ms } : {}),
  };
}

function withTimes(known: DeviceState, event: DeviceEvent): DeviceState {
  switch (event.type) {
    case 'DeviceRegistered': return {
      ...known,
      registration: countingRegistration(known, event),
      date_created_ms: earliest(known.date_created_ms, event.at_ms),
    };
    case 'DeviceTrackingStarted':
      return { ...known, started_at_ms: earliest(known.started_at_ms, event.at_ms) };
    case 'DeviceTrackingStopped':
      return { ...known, stopped_at_ms: earliest(known.stopped_at_ms, event.at_ms) };
  }
}

/**
 * Two registrations of one device differ only when the outcome of the first was unknown to its
 * caller: the earlier one counts, and at one millisecond the smaller text.
 */
function countingRegistration(known: DeviceState, event: DeviceRegistered): Registration {
  const { registration: kept, date_created_ms: keptMs } = known;
  const mine = registrationIn(event);
  if (kept === undefined || keptMs === undefined || event.at_ms < keptMs) return mine;
  if (event.at_ms > keptMs) return kept;
  return textOf(mine) < textOf(kept) ? mine : kept;
}

function registrationIn(known: Registration): Registration {
  const { user_id, entity_type, entity_id, generation, transport_id } = known;
  const { device_specs, personal } = known;
  return {
    user_id, entity_type, generation, transport_id, device_specs,
    ...(entity_id === undefined ? {} : { entity_id }),
    ...(personal === undefined ? {} : { personal }),
  };
}

/** What analysts see comes first, in the order in which `v_devices` compares it. */
function textOf({ user_id, transport_id, device_specs, personal }: Registration): string {
  const { device_type = '', brand = '', model = '' } = device_specs;
  const sealed = personal === undefined ? '' : JSON.stringify(personal);
  return [
    transport_id, device_type, brand, model, user_id, JSON.stringify(device_specs), sealed,
  ].join('\x1f');
}

function highest(one: DeviceStage, other: DeviceStage): DeviceStage {
  return one > other ? one : other;
}

function earliest(kept: number | undefined, atMs: number): number {
  return Math.min(kept ?? atMs, atMs);
}
