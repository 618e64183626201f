import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packFinished, unpackFinished } from '../../../services/domain/journey/finished.ts';
import { lastFactMs, type ShipmentRecord } from '../../../services/domain/journey/projection.ts';
import { finishedEndMs, packedEndMs } from '../../../services/kernel/lifetimes.ts';

const NOW_MS = 1_764_000_000_000;
const time = fc.integer({ min: 0, max: NOW_MS * 1.5 });
const client = fc.constantFrom('100000000000042', 'b', 'c,"');
const side = fc.option(fc.record({ client_id: client, at_ms: time }), { nil: undefined });

const shipments: fc.Arbitrary<ShipmentRecord> = fc.record({
  platform: side, authorized: side, reassigned: side,
  journey: fc.record({
    carrier: client,
    owner: fc.record({
      client_id: client, at_ms: time,
      basis: fc.constantFrom('range', 'authorization', 'reassignment'),
    }),
    state: fc.record({
      status: fc.string(), code: fc.string(), carrier_code: fc.string({ unit: 'binary' }),
      final: fc.constant(true),
      occurred_at_ms: fc.integer({ min: -NOW_MS, max: NOW_MS * 2 }),
    }, { requiredKeys: ['code', 'carrier_code', 'final', 'occurred_at_ms'] }),
    contents: fc.constant([]),
    last_notification: fc.record({
      topic_id: fc.string(), partition: fc.nat(), offset: fc.maxSafeNat(),
    }),
    received_at_ms: time,
  }, { requiredKeys: ['carrier', 'state', 'contents', 'last_notification', 'received_at_ms'] }),
});

it('[GEN-67] packs a finished shipment and loses nothing of it', () => {
  fc.assert(fc.property(shipments, (shipment) => {
    const packed = packFinished(shipment);
    if (packed === undefined) throw new Error('It was not packed.');
    expect(unpackFinished(packed)).toEqual(shipment);
    expect(packedEndMs(`12345678${packed.rest}`)).toBe(finishedEndMs(lastFactMs(shipment)));
  }), { numRuns: 1_000 });
});

it('[GEN-67] packs nothing that is not final, or that holds more', () => {
  fc.assert(fc.property(shipments, fc.nat({ max: 3 }), (shipment, what) => {
    const { journey } = shipment;
    if (journey?.state === undefined) throw new Error('It has no state.');
    const others: readonly ShipmentRecord[] = [
      { ...shipment, journey: undefined },
      { ...shipment, journey: { ...journey, state: { ...journey.state, final: false } } },
      { ...shipment, journey: { ...journey, reapplied: ['topic:0:1'] } },
      { ...shipment, journey: { ...journey, received_at_ms: NOW_MS + 0.5 } },
    ];
    expect(packFinished(others[what] ?? {})).toBeUndefined();
  }));
});
