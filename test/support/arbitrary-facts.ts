import fc from 'fast-check';
import type { DeviceEvent, DeviceRegistered } from '../../services/kernel/devices.ts';
import { aClient, aRegistration, startOf, stopOf } from './state-facts.ts';

/** Facts of one entity, as the log may hold them after lost answers and repeats by callers. */
export interface EntityHistory {
  readonly devices: readonly DeviceRegistered[];
  /** Facts in an order that the log could have, with repeats. */
  readonly events: readonly DeviceEvent[];
  /** The same facts once more, in any order and number. */
  readonly shuffled: readonly DeviceEvent[];
}

/**
 * Histories of up to three generations: each registered once or twice with other content, then
 * perhaps started and stopped, each perhaps by two calls at different times.
 */
export const entityHistories: fc.Arbitrary<EntityHistory> = fc
  .array(
    fc.record({
      again: fc.option(fc.record({
        laterMs: fc.integer({ min: -5, max: 5 }), transport_id: fc.integer({ min: 1, max: 3 }),
      })),
      starts: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
      stops: fc.array(fc.integer({ min: 5, max: 20 }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .chain((generations) => {
    const client = aClient();
    const first = aRegistration(client, { transport_id: 2 });
    const devices = generations.map((_, i) => ({
      ...first, generation: i + 1, device_id: `${first.device_id}-${i + 1}`,
      at_ms: first.at_ms + i * 100,
    }));
    const events = generations.flatMap(({ again, starts, stops }, i): DeviceEvent[] => {
      const device = devices[i] ?? first;
      return [
        device,
        ...(again === null ? [] : [{
          ...device, at_ms: device.at_ms + again.laterMs, transport_id: again.transport_id,
        }]),
        ...starts.map((ms) => startOf(device, device.at_ms + ms)),
        ...stops.map((ms) => stopOf(device, device.at_ms + ms)),
      ];
    });
    return fc.record({
      devices: fc.constant(devices),
      events: fc.constant(events),
      shuffled: fc.tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.shuffledSubarray(events),
      ).map(([all, some]) => [...all, ...some]),
    });
  });
