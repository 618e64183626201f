import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ENTITY_TYPES_MAX, foldEntityTypes,
} from '../../../services/domain/device/entity-types.ts';

const types = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), { maxLength: 80 });

describe('the types of the entities of a client', () => {
  it('are each there once, in order, and no more than the most', () => {
    expect(foldEntityTypes([], ['van', 'truck', 'van'])).toEqual(['truck', 'van']);
    expect(foldEntityTypes(['van'], [])).toEqual(['van']);
    const many = Array.from({ length: ENTITY_TYPES_MAX + 1 }, (_, at) => `t${at + 100}`);
    expect(foldEntityTypes([], many)).toEqual(many.slice(0, ENTITY_TYPES_MAX));
    expect(foldEntityTypes(foldEntityTypes([], many), ['a'])).toEqual(
      ['a', ...many.slice(0, ENTITY_TYPES_MAX - 1)],
    );
  });

  it('end the same in any order, in any parts and with any repetition, also above the most', () => {
    fc.assert(fc.property(types, types, types, (one, two, three) => {
      const whole = foldEntityTypes([], [...one, ...two, ...three]);
      const parts = [three, one, two, one].reduce(foldEntityTypes, [] as readonly string[]);
      expect(parts).toEqual(whole);
      expect(foldEntityTypes(whole, whole)).toEqual(whole);
    }));
  });
});
