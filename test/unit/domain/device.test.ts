import { describe, expect, it } from 'vitest';
import {
  DEVICE_MOVES, deviceDecider, type DeviceCommand, type RegisterDevice,
} from '../../../services/domain/device/device.ts';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';

const register: RegisterDevice = {
  type: 'RegisterDevice', client_id: '100000000000001', user_id: '7', entity_type: 'van',
  entity_id: 'V-1', entity_hash: 'h', transport_id: 42, device_specs: { device_type: 'GPS', brand: 'Acme' },
  country_id: 'DE', next_generation: 1, next_device_id: 'd-1', at_ms: 1_000,
};
const start: DeviceCommand = { type: 'StartDeviceTracking', country_id: 'DE', at_ms: 2_000 };
const stop: DeviceCommand = { type: 'StopDeviceTracking', country_id: 'DE', at_ms: 3_000 };

function given(...commands: readonly DeviceCommand[]) {
  let state = deviceDecider.initial;
  let decided: readonly DeviceEvent[] = [];
  let kind = 'none';
  for (const command of commands) {
    const decision = deviceDecider.decide(command, state);
    kind = decision.kind;
    decided = decision.kind === 'happened' ? decision.events : [];
    for (const event of decided) state = deviceDecider.evolve(state, event);
  }
  return { state, events: decided, kind };
}

describe('a device of an entity', () => {
  it('[DEV-21] is active already before it is started', () => {
    const { state, kind } = given(register);
    expect(kind).toBe('happened');
    expect(state).toMatchObject({ epoch: 1, generation: 1, device_id: 'd-1' });
  });

  it('[DEV-14] [DEV-15] stays as it is when registered again while active', () => {
    const again = { ...register, transport_id: 43, device_specs: {}, next_device_id: 'd-2' };
    const { state, kind } = given(register, again);
    expect(kind).toBe('unchanged');
    expect(state).toMatchObject({ transport_id: 42, device_id: 'd-1' });
  });

  it('[DEV-23] may send after its start', () => {
    expect(given(register, start).state?.epoch).toBe(2);
  });

  it('[DEV-24] is not changed by a second start', () => {
    const once = given(register, start);
    const twice = given(register, start, { ...start, at_ms: 9_000 });
    expect(twice.kind).toBe('unchanged');
    expect(twice.state).toEqual(once.state);
  });

  it('[DEV-27] is not changed by a second stop', () => {
    const twice = given(register, start, stop, { ...stop, at_ms: 9_000 });
    expect(twice.kind).toBe('unchanged');
    expect(twice.state?.last_updated_ms).toBe(3_000);
  });

  it('[DEV-28] is refused a start after its stop', () => {
    expect(given(register, start, stop, start)).toMatchObject({ kind: 'refused' });
  });

  it('[DEV-34] is disabled by a stop that comes before any start', () => {
    expect(given(register, stop)).toMatchObject({ kind: 'happened', state: { epoch: 3 } });
  });

  it('is denied everything but another stop while its stop is not in the log yet', () => {
    const { state } = given(register, start);
    if (state === undefined) throw new Error('no device');
    const denied = { ...state, stop_unconfirmed: true as const };
    expect(deviceDecider.decide(start, denied).kind).toBe('refused');
    expect(deviceDecider.decide(register, denied).kind).toBe('happened');
    const again = deviceDecider.decide(stop, denied);
    expect(again.kind).toBe('happened');
    const event = again.kind === 'happened' ? again.events[0] : undefined;
    const after = event === undefined ? undefined : deviceDecider.evolve(denied, event);
    expect(after).toMatchObject({ epoch: 3 });
    expect(after).not.toHaveProperty('stop_unconfirmed');
  });

  it('[DEV-17] comes back as the next generation under a new id', () => {
    const again = { ...register, next_generation: 2, next_device_id: 'd-2', at_ms: 5_000 };
    const { state } = given(register, stop, again);
    expect(state).toMatchObject({ generation: 2, device_id: 'd-2', epoch: 1 });
  });

  it('[GEN-67] keeps its generations when the device before it has left the state store', () => {
    const { state } = given({ ...register, next_generation: 7, next_device_id: 'd-7' });
    expect(state).toMatchObject({ generation: 7, device_id: 'd-7', epoch: 1 });
  });

  it('[DEV-08] keeps its creation date, and a stop moves the two others', () => {
    const { state } = given(register, start, stop);
    expect(state).toMatchObject({
      date_created_ms: 1_000, last_updated_ms: 3_000, last_status_updated_ms: 3_000,
    });
  });

  it('does not count a start as a change of status', () => {
    const { state } = given(register, start);
    expect(state).toMatchObject({ last_updated_ms: 2_000, last_status_updated_ms: 1_000 });
  });

  it('[DEV-29] is unknown before it is registered', () => {
    expect(given(start).kind).toBe('refused');
    expect(given(stop).kind).toBe('refused');
  });
});

describe('the state table', () => {
  it('answers every command in every state', () => {
    const cells = Object.values(DEVICE_MOVES).flatMap((row) => Object.values(row));
    expect(cells).toHaveLength(12);
  });

  it.each(Object.entries(DEVICE_MOVES).flatMap(([command, row]) =>
    Object.entries(row).map(([stage, move]) => ({ command, stage: Number(stage), move }))))(
    'says $move to $command at stage $stage', ({ command, stage, move }) => {
      const path = [[], [register], [register, start], [register, stop]][stage] ?? [];
      const last = {
        RegisterDevice: register, StartDeviceTracking: start, StopDeviceTracking: stop,
      };
      const { kind } = given(...path, last[command as keyof typeof last]);
      const expected = { unchanged: 'unchanged', device_not_found: 'refused' };
      expect(kind).toBe(expected[move as keyof typeof expected] ?? 'happened');
    },
  );
});
