import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedCache } from '../../../services/kernel/bounded-cache.ts';

describe('a bounded cache', () => {
  it('gives what was set last, and nothing of what was deleted', () => {
    const cache = createBoundedCache<string, number>(4);
    cache.set('one', 1);
    cache.set('one', 2);
    expect(cache.get('one')).toBe(2);
    cache.set('two', 2);
    cache.set('three', 3);
    cache.delete('one');
    expect(cache.get('one')).toBeUndefined();
    expect(cache.get('none')).toBeUndefined();
  });

  it('keeps what is in use, whatever else comes', () => {
    const cache = createBoundedCache<number, number>(8);
    cache.set(-1, -1);
    for (let nth = 0; nth < 1_000; nth += 1) {
      cache.set(nth, nth);
      if (nth % 3 === 0) expect(cache.get(-1)).toBe(-1);
    }
  });

  it('never holds more than it may, and never gives a value of another key', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('set', 'get', 'delete'), fc.nat(30)), {
      maxLength: 300,
    });
    fc.assert(fc.property(steps, fc.integer({ min: 2, max: 12 }), (all, entriesMax) => {
      const cache = createBoundedCache<number, string>(entriesMax);
      for (const [step, key] of all) {
        if (step === 'set') cache.set(key, `value ${key}`);
        else if (step === 'delete') cache.delete(key);
        else expect([undefined, `value ${key}`]).toContain(cache.get(key));
      }
      const held = Array.from({ length: 31 }, (_, key) => key)
        .filter((key) => cache.get(key) !== undefined);
      expect(held.length).toBeLessThanOrEqual(entriesMax);
    }));
  });
});
