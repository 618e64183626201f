import { Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createSpread } from '../../../services/adapters/signals/spread.ts';

const BOUNDS = [0.5, 1, 10];
const VALUES = [0, 0.5, 0.500_1, 1, 3, 10, 10.5, 1_000, -1];

describe('a spread', () => {
  it.each([
    [[], [{}]], [['operation'], [{ operation: 'a' }, { operation: 'b"\\' }]], [['operation'], []],
  ])('with the labels %j is written just as the library would count it', async (labelNames, all) => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const open = createSpread(ours, { name: 'x_seconds', help: 'Some.', labelNames, bounds: BOUNDS });
    const histogram = new Histogram({
      name: 'x_seconds', help: 'Some.', labelNames, buckets: BOUNDS, registers: [theirs],
    });
    expect(await ours.metrics()).toBe(await theirs.metrics());
    for (const [nth, labels] of all.entries()) {
      const observe = open(labels);
      for (const value of VALUES.slice(nth)) {
        observe(value);
        histogram.labels(labels).observe(value);
      }
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });

  it('takes only numbers that are some', () => {
    const observe = createSpread(new Registry(), {
      name: 'x_seconds', help: 'Some.', labelNames: [], bounds: BOUNDS,
    })({});
    expect(() => { observe(Number.NaN); }).toThrow('cannot count NaN');
  });
});
