import { happened, refused, unchanged, type Decider, type Decision } from '../../kernel/decider.ts';
import { deviceOf, foldDevice, stateOf } from './projection.ts';
import type {
  DeviceEvent, DeviceStage, DeviceRegistered, DeviceTrackingStarted, DeviceTrackingStopped,
  RecordedDeviceSpecs, StoredDevice,
} from '../../kernel/devices.ts';
import type { ClientId, DeviceId, ExternalEntityId, TransportId } from '../../kernel/ids.ts';

/** A device, or `undefined` when the entity or id was never registered by the caller. */
export type DeviceSnapshot = StoredDevice | undefined;

/**
 * Asks for the entity's device. Its next generation and the id of that come from the entity, which
 * stays when a device that stopped long ago has left the state store.
 */
export interface RegisterDevice {
  readonly type: 'RegisterDevice';
  readonly client_id: ClientId;
  readonly user_id: string;
  readonly entity_type: string;
  readonly entity_id: ExternalEntityId;
  readonly entity_hash: string;
  readonly transport_id: TransportId;
  readonly device_specs: RecordedDeviceSpecs;
  readonly country_id: string;
  readonly next_generation: number;
  readonly next_device_id: DeviceId;
  readonly at_ms: number;
}

/** The provider confirms that the device of the state sends from now on. */
export interface StartDeviceTracking {
  readonly type: 'StartDeviceTracking';
  readonly country_id: string;
  readonly at_ms: number;
}

/** The provider confirms that the device of the state has stopped for good. */
export interface StopDeviceTracking {
  readonly type: 'StopDeviceTracking';
  readonly country_id: string;
  readonly at_ms: number;
}

/** Any command to a device (interface, endpoints 6 to 8). */
export type DeviceCommand = RegisterDevice | StartDeviceTracking | StopDeviceTracking;

type Move = 'registered' | 'started' | 'stopped' | 'unchanged' | 'device_not_found';

/**
 * The state table of the interface and of decisions.md "Device status", by the device's rank:
 * 0 unknown, 1 registered, 2 tracking, 3 stopped.
 */
export const DEVICE_MOVES: Readonly<
  Record<DeviceCommand['type'], Readonly<Record<DeviceStage, Move>>>
> = {
  RegisterDevice: { 0: 'registered', 1: 'unchanged', 2: 'unchanged', 3: 'registered' },
  StartDeviceTracking: {
    0: 'device_not_found', 1: 'started', 2: 'unchanged', 3: 'device_not_found',
  },
  StopDeviceTracking: { 0: 'device_not_found', 1: 'stopped', 2: 'stopped', 3: 'unchanged' },
};

/** Decides registration, start and stop of one device of one caller. Pure and total. */
export const deviceDecider: Decider<DeviceSnapshot, DeviceCommand, DeviceEvent> = {
  initial: undefined,
  decide,
  evolve,
};

function decide(command: DeviceCommand, state: DeviceSnapshot): Decision<DeviceEvent> {
  const move = DEVICE_MOVES[command.type][stageFor(command, state)];
  if (move === 'unchanged') return unchanged;
  if (move === 'device_not_found') return refused('device_not_found');
  return happened(factOf(command, state));
}

/**
 * A stop that denies already but is not in the log yet counts as stopped for every command except
 * another stop, which has to bring it into the log.
 */
function stageFor(command: DeviceCommand, state: DeviceSnapshot): DeviceStage {
  if (state === undefined) return 0;
  const isDenied = state.stop_unconfirmed === true && command.type !== 'StopDeviceTracking';
  return isDenied ? 3 : state.epoch;
}

function factOf(command: DeviceCommand, state: DeviceSnapshot): DeviceEvent {
  switch (command.type) {
    case 'RegisterDevice': return registered(command);
    case 'StartDeviceTracking':
      return { type: 'DeviceTrackingStarted', epoch: 2, ...transition(command, state) };
    case 'StopDeviceTracking':
      return { type: 'DeviceTrackingStopped', epoch: 3, ...transition(command, state) };
  }
}

function registered(command: RegisterDevice): DeviceRegistered {
  const { type: _, next_device_id, next_generation, ...rest } = command;
  return {
    type: 'DeviceRegistered', epoch: 1, ...rest,
    device_id: next_device_id,
    generation: next_generation,
  };
}

function transition(
  command: StartDeviceTracking | StopDeviceTracking, state: DeviceSnapshot,
): Omit<DeviceTrackingStarted | DeviceTrackingStopped, 'type' | 'epoch'> {
  return {
    device_id: state?.device_id ?? '',
    client_id: state?.client_id ?? '',
    country_id: command.country_id,
    at_ms: command.at_ms,
  };
}

/** A fact moves a device only up, and a registration of a higher generation is another device. */
function evolve(state: DeviceSnapshot, event: DeviceEvent): DeviceSnapshot {
  if (state === undefined || state.device_id !== event.device_id) {
    const isNext = event.type === 'DeviceRegistered'
      && event.generation > (state?.generation ?? 0);
    return isNext ? deviceOf(event.device_id, foldDevice(undefined, event)) : state;
  }
  return deviceOf(event.device_id, foldDevice(stateOf(state), event));
}
