import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deviceDecider, type DeviceCommand } from '../../../services/domain/device/device.ts';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';

const command = (index: number): fc.Arbitrary<DeviceCommand> => fc.constantFrom<DeviceCommand>(
  {
    type: 'RegisterDevice', client_id: '1', user_id: '1', entity_type: 't', entity_id: 'e',
    entity_hash: 'h', transport_id: 1, device_specs: {}, country_id: 'DE',
    next_generation: index + 1, next_device_id: `d${index}`, at_ms: index,
  },
  { type: 'StartDeviceTracking', country_id: 'DE', at_ms: index },
  { type: 'StopDeviceTracking', country_id: 'DE', at_ms: index },
);
const commands = fc.integer({ min: 0, max: 30 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, index) => command(index))));

function decideAll(all: readonly DeviceCommand[]): DeviceEvent[] {
  let state = deviceDecider.initial;
  const events: DeviceEvent[] = [];
  for (const each of all) {
    const decision = deviceDecider.decide(each, state);
    if (decision.kind !== 'happened') continue;
    for (const event of decision.events) {
      events.push(event);
      state = deviceDecider.evolve(state, event);
    }
  }
  return events;
}

const fold = (events: readonly DeviceEvent[]) =>
  events.reduce(deviceDecider.evolve, deviceDecider.initial);

it('folds the log to the same device, however often its facts are repeated', () => {
  fc.assert(fc.property(commands, fc.integer({ min: 0, max: 40 }), (all, cut) => {
    const events = decideAll(all);
    const seen = events.slice(0, cut);
    expect(fold([...seen, ...seen, ...events.slice(cut)])).toEqual(fold(events));
  }));
});

it('never decides the same command twice in a row', () => {
  fc.assert(fc.property(commands, (all) => {
    const doubled = all.flatMap((each) => [each, each]);
    expect(decideAll(doubled).length).toBe(decideAll(all).length);
  }));
});

it('gives every generation one registration, at most one start and at most one stop', () => {
  fc.assert(fc.property(commands, (all) => {
    const seen = new Set<string>();
    for (const event of decideAll(all)) {
      const name = `${event.device_id} ${event.type}`;
      expect(seen.has(name)).toBe(false);
      seen.add(name);
    }
  }));
});
