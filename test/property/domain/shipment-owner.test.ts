import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerByRange, strongerOwner } from '../../../services/domain/journey/owner.ts';
import type { ShipmentOwner } from '../../../services/kernel/shipments.ts';

const said = fc.record({
  client_id: fc.constantFrom('a', 'b'), at_ms: fc.integer({ min: 1, max: 3 }),
  basis: fc.constantFrom<ShipmentOwner['basis']>('range', 'authorization', 'reassignment'),
});
const strongest = (all: readonly ShipmentOwner[]): ShipmentOwner | undefined =>
  all.reduce<ShipmentOwner | undefined>(strongerOwner, undefined);

describe('The owner of a tracking number', () => {
  it('[NOT-47] is the same in whatever order and how often it was said', () => {
    const orders = fc.array(said, { maxLength: 8 }).chain((all) => fc.record({
      all: fc.constant(all),
      shuffled: fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
    }));
    fc.assert(fc.property(orders, ({ all, shuffled }) => {
      expect(strongest(shuffled)).toEqual(strongest(all));
    }));
  });

  it('[NOT-47] is by range whose prefix is the longest, and none when two say the same', () => {
    const range = (client_id: string, ...prefixes: string[]) => ({ client_id, prefixes, at_ms: 1 });
    const ranges = [range('a', 'rs', 'X '), range('b', 'RS1'), range('c', 'RS2'), range('d', 'RS2')];
    const ownerOf = (number: string) => ownerByRange(ranges, number)?.client_id;
    expect(['RS9', 'RS12', 'RS22', 'XY', 'Q1'].map(ownerOf))
      .toEqual(['a', 'b', undefined, 'a', undefined]);
    expect(ownerByRange([range('a', ' ')], 'RS1')).toBeUndefined();
  });
});
